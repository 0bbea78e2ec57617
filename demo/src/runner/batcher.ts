/** Joins texts added within one turn of the event loop; hands them on at its end. */
export function createBatcher(send: (text: string) => void): { add(text: string): void; flush(): void } {
  let pending = '';
  let scheduled: NodeJS.Immediate | undefined;
  const flush = (): void => {
    if (scheduled !== undefined) clearImmediate(scheduled);
    scheduled = undefined;
    if (pending === '') return;
    const text = pending;
    pending = '';
    send(text);
  };
  return {
    add(text) {
      pending += text;
      scheduled ??= setImmediate(flush);
    },
    flush,
  };
}

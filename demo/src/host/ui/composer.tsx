import { useEffect, useRef, useState } from 'react';
import type { FormEvent, KeyboardEvent, ReactElement } from 'react';
import { Icon } from './icons.tsx';

/** Where a prompt is written. Enter sends, Shift+Enter starts a new line. */
export function Composer({
  disabled,
  onSend,
}: {
  disabled: boolean;
  onSend(prompt: string): void;
}): ReactElement {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);

  // A page made to be typed into; nothing stands before the field that would be skipped.
  useEffect(() => field.current?.focus(), []);

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    const prompt = text.trim();
    if (prompt === '' || disabled) return;
    setText('');
    onSend(prompt);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While a character is being composed, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  return (
    <form className="composer" onSubmit={submit}>
      <label className="visually-hidden" htmlFor="prompt">
        Message
      </label>
      <textarea
        id="prompt"
        ref={field}
        rows={1}
        value={text}
        placeholder="Ask for a dashboard, a report or a check"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className="send" aria-label="Send" disabled={disabled || text.trim() === ''}>
        <Icon name="send" />
      </button>
    </form>
  );
}

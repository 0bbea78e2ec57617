/* Long enough for every browser to have begun reading it. */
const keepMs = 60_000;

/** Gives a file to the user as a download of the host page. */
export function saveFile(page: Window, name: string, file: Blob): void {
  const { document } = page;
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  page.setTimeout(() => URL.revokeObjectURL(url), keepMs);
}

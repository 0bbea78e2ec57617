/**
 * Reduces what a view asks to open to an absolute http or https address, or to nothing (H20). The URL parser
 * decides, as it will when the address is opened, so case, control characters and leading white space cannot
 * make another scheme of it. User information is refused: it serves to disguise the host.
 */
export function safeLink(url: unknown): URL | undefined {
  if (typeof url !== 'string' || url.length > 8192 || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return undefined;
  return parsed.username === '' && parsed.password === '' ? parsed : undefined;
}

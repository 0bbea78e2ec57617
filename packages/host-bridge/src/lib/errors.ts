/** Every reason for which this package throws. Trouble in a running stream goes to `onEvent` instead. */
export type HostBridgeErrorCode =
  /** An option has no such name, or its value is out of range: the message names it. */
  | 'invalid_option'
  /** The sandbox URL or `hostOrigins` cannot give an isolated frame; the message says what to change. */
  | 'sandbox_misconfigured'
  /** The sandbox answered that it does not serve this host, or could not read the request. */
  | 'sandbox_refused'
  /** The tool has no `_meta.ui.resourceUri`. */
  | 'ui_not_declared'
  /** The URI of the view is not a `ui://` one (H1). */
  | 'ui_uri_invalid'
  /** `resources/read` failed. `cause` is the client's error. */
  | 'ui_read_failed'
  /** The answer holds no content for the URI. */
  | 'ui_resource_missing'
  /** The content is not `text/html;profile=mcp-app` (H1). */
  | 'ui_mime_unsupported'
  /** Neither text nor base64 of UTF-8. */
  | 'ui_content_invalid'
  /** The HTML exceeds the limit. */
  | 'ui_too_large'
  /** The proxy or the view did not complete its handshake in time. */
  | 'handshake_timeout'
  /** The view's document went away, or its frame was navigated. */
  | 'view_lost'
  /** The view exposes no tool of that name (H22). */
  | 'view_tool_unknown'
  /** Neither the tool says that it only reads, nor did the hook allow it (H22). */
  | 'view_tool_refused'
  /** The view answered with an error, or not in time. `cause` is it. */
  | 'view_tool_failed'
  /** Used after `close()`. */
  | 'closed';

/** The one error class of this package; branch on `code`, show `message`. */
export class HostBridgeError extends Error {
  readonly code: HostBridgeErrorCode;

  constructor(code: HostBridgeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HostBridgeError';
    this.code = code;
  }
}

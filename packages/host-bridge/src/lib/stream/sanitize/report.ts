/** Why something was refused or changed. The same codes on both paths (S12, field case 50). */
export type SanitizeCode =
  /** Nesting, entries or string length above the limit: the value is dropped whole. */
  | 'too_deep'
  | 'too_many_values'
  | 'string_too_long'
  | 'key_too_long'
  | 'too_many_blocks'
  /** A result above `maxResultBytes`: replaced by an error result. */
  | 'too_large'
  /** Not JSON: a function, a class instance, … */
  | 'not_json'
  /** `__proto__`, or `constructor` or `prototype` holding an object: the key is dropped. */
  | 'forbidden_key'
  /** A top-level field that `CallToolResult` does not have: dropped. */
  | 'unknown_field'
  /** A block, or a field of the result, is missing something or of the wrong type: dropped. */
  | 'bad_block'
  | 'unknown_block_type'
  /** Not a media type, not one that is allowed, or not what the bytes are: dropped. */
  | 'bad_media_type'
  | 'bad_base64'
  | 'bad_uri'
  /** HTML or a list of URIs in a chunk: a fragment cannot be checked, the result brings it (D4). */
  | 'html_withheld'
  /** Markup was removed from an HTML resource. */
  | 'html_cleaned'
  /** HTML that cannot be checked here (no DOM, binary form) or does not stay clean: dropped. */
  | 'html_refused'
  /** Not a message of a known A2UI version: the message is dropped. */
  | 'a2ui_unknown_message'
  | 'a2ui_unsupported_version'
  /** A path or data key that reaches for a prototype: the message is dropped. */
  | 'a2ui_forbidden_path'
  | 'a2ui_too_many_components'
  /** A URL property that is not http, https or a data: image: emptied. */
  | 'a2ui_bad_url'
  /** `openUrl` outside a click action or to a URL that is not plain http(s): emptied. */
  | 'a2ui_open_url'
  /** A link in Markdown that runs script: its target became `#`. */
  | 'a2ui_markdown_link'
  /** A pattern that could hang the view: emptied, the check passes. */
  | 'a2ui_regex'
  /** A text template whose parts cannot be checked: emptied. */
  | 'a2ui_template'
  /** The embedder's own rule refused it, or threw. */
  | 'rule_refused'
  | 'rule_failed';

export interface SanitizeDecision {
  code: SanitizeCode;
  /** JSON path inside the chunk or result, e.g. `$.content[2].resource.uri`. */
  path: string;
  message: string;
}

export type Report = (code: SanitizeCode, path: string, message: string) => void;

import {
  CLIENT_CAPABILITIES_KEY,
  isPlainObject,
  isToken,
  PARTIAL_RESULT_TOKEN_KEY,
  PARTIAL_RESULTS_CAPABILITY,
  type PartialResultToken,
} from '@mcp-apps-bridge/partial-results';

/** What a view asks for beside the result of its call, under names of its own choosing. */
export interface ViewOptIn {
  /** Present when the call has both the token and the capability (S1, S2). */
  token: PartialResultToken | undefined;
  progressToken: PartialResultToken | undefined;
}

/** Reads a `tools/call` of a view as the SDK hands it over: it lifts reserved keys of `_meta` into `envelope`. */
export function readViewOptIn(request: { _meta?: unknown; envelope?: unknown }): ViewOptIn {
  const meta = isPlainObject(request._meta) ? request._meta : {};
  const envelope = isPlainObject(request.envelope) ? request.envelope : {};
  const capabilities = envelope[CLIENT_CAPABILITIES_KEY] ?? meta[CLIENT_CAPABILITIES_KEY];
  const capable = isPlainObject(capabilities) && isPlainObject(capabilities[PARTIAL_RESULTS_CAPABILITY]);
  const token = meta[PARTIAL_RESULT_TOKEN_KEY];
  const progressToken = meta['progressToken'];
  return {
    token: capable && isToken(token) ? token : undefined,
    progressToken: isToken(progressToken) ? progressToken : undefined,
  };
}

/** A schema that lets everything through: Standard Schema for v2, the zod 3 members that v1 calls. */
export const ANYTHING: object = {
  '~standard': { version: 1, vendor: 'mcp-apps-bridge', validate: (value: unknown) => ({ value }) },
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
};

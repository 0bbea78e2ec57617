import type { JsonSchemaType } from '@modelcontextprotocol/server';

/** Keywords of JSON Schema 2020-12 that must reach the client as written (SEP-1613, SEP-2106). */
export const VOCABULARY_SCHEMA: JsonSchemaType = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** A parameter that a client of 2026-07-28 repeats in a header (SEP-2243). */
const region = { type: 'string' as const, 'x-mcp-header': 'Region' };
export const HEADERS_SCHEMA: JsonSchemaType = {
  type: 'object',
  properties: { region },
  required: ['region'],
};

/* `schema/schema.ts` → `schema/schema.json`. */
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

/** The generated file. */
export const SCHEMA_FILE: string = fileURLToPath(new URL('../../schema/schema.json', import.meta.url));

const SOURCE = fileURLToPath(new URL('../../schema/schema.ts', import.meta.url));

export interface SchemaDocument {
  $schema: string;
  $id: string;
  $defs: Record<string, object>;
}

/** The generator writes draft 7; on what is used here 2020-12 differs in the names alone. */
export function generateSchema(): SchemaDocument {
  const generator = createGenerator({
    path: SOURCE,
    type: '*',
    skipTypeCheck: true,
    additionalProperties: false,
    topRef: true,
    sortProps: false,
  });
  const { definitions } = generator.createSchema('*');
  const text = JSON.stringify(definitions).replaceAll('#/definitions/', '#/$defs/');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:mcp-apps-bridge:schema',
    $defs: JSON.parse(text) as Record<string, object>,
  };
}

export function writeSchema(schema: SchemaDocument): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/* Writes what is generated: `schema/schema.json` and the table in the README. */
import { writeFileSync } from 'node:fs';
import { readReadme, README, renderReadme } from './readme.ts';
import { generateSchema, SCHEMA_FILE, writeSchema } from './schema.ts';

writeFileSync(SCHEMA_FILE, writeSchema(generateSchema()));
writeFileSync(README, renderReadme(readReadme()));

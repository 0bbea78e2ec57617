import {
  MERGE_META_KEY,
  type ContentBlock,
  type MergeModes,
  type PartialResultBody,
  type ToolResult,
} from '@mcp-apps-bridge/partial-results';
import { createRandom } from '@mcp-apps-bridge/partial-results/testing';

/** What a tool may stream: each kind combines in another way. */
export type Kind = 'text' | 'undeclared' | 'replace' | 'patch' | 'table' | 'a2ui' | 'mixed';
export const KINDS: readonly Kind[] = ['text', 'undeclared', 'replace', 'patch', 'table', 'a2ui', 'mixed'];

export interface Sample {
  kind: Kind;
  modes: MergeModes;
  /** The server's chunks, the first one numbered 0. */
  bodies: PartialResultBody[];
  /** Says something of its own, so that an end state made of chunks cannot pass for it. */
  result: ToolResult;
}

type Draw = ReturnType<typeof createDraw>;

/** The same sample for the same arguments. */
export function createSample(kind: Kind, chunks: number, seed: number): Sample {
  const draw = createDraw(seed);
  return { kind, ...MAKERS[kind](chunks, draw) };
}

const MAKERS: Record<Kind, (chunks: number, draw: Draw) => Omit<Sample, 'kind'>> = {
  text(chunks, draw) {
    const parts = cut(prose(chunks * 2, draw), chunks, draw);
    return {
      modes: { content: 'append' },
      bodies: parts.map((part) => ({ content: [text(part)] })),
      result: { content: [text(`${parts.join('')} The end.`)] },
    };
  },
  undeclared(chunks, draw) {
    const bodies = times(chunks, (i) => ({
      content: [text(draw.of(WORDS)), ...(draw.chance(0.2) ? [draw.of(MEDIA)] : [])],
      ...(draw.chance(0.4) && { structuredContent: draw.of([0, false, '', i, { at: i }]) }),
    }));
    return { modes: {}, bodies, result: { content: [text('done')], structuredContent: { n: chunks } } };
  },
  replace(chunks, draw) {
    const bodies = times(chunks, (i) => ({
      content: [text(`${i}: ${prose(i + 1, draw)}`)],
      structuredContent: { percent: i, of: draw.of(WORDS) },
    }));
    return {
      modes: { content: 'replace', structuredContent: 'replace' },
      bodies,
      result: { content: [text('ready')], structuredContent: { percent: 100 } },
    };
  },
  patch: (chunks, draw) => ({
    modes: { structuredContent: 'merge-patch' },
    bodies: times(chunks, () => ({ structuredContent: patch(draw) })),
    result: { content: [], structuredContent: { final: patch(draw) } },
  }),
  table(chunks, draw) {
    const bodies = times(chunks, (i) => ({
      structuredContent: {
        rows: times(draw.below(3), (j) => ({ id: i * 10 + j, name: draw.of(WORDS) })),
        ...(draw.chance(0.3) && { total: i }),
      },
    }));
    return {
      modes: { structuredContent: 'append' },
      bodies,
      result: { structuredContent: { rows: [{ id: -1 }], total: chunks } },
    };
  },
  a2ui(chunks, draw) {
    const lines = records(Math.max(2, Math.ceil(chunks / 2)), draw).map((record) => JSON.stringify(record));
    const bodies = cut(`${lines.join('\n')}\n`, chunks, draw).map((part) => ({
      content: [a2ui(part), ...(draw.chance(0.2) ? [text(draw.of(WORDS))] : [])],
    }));
    const last = createRecord('z', `last of ${chunks}`);
    return {
      modes: {},
      bodies,
      result: { content: [a2ui([...lines, ...last.map((it) => JSON.stringify(it))].join('\n'))] },
    };
  },
  mixed(chunks, draw) {
    const bodies = times(chunks, () => {
      const body: PartialResultBody = {};
      const part = draw.below(4);
      if (part !== 1) body.content = [text(draw.of(WORDS))];
      if (part === 2) body.content!.push(draw.of(MEDIA));
      if (part !== 0) body.structuredContent = patch(draw);
      // A chunk may say for itself that it starts over.
      if (body.content && draw.chance(0.1)) body._meta = { [MERGE_META_KEY]: { content: 'replace' } };
      return body;
    });
    return {
      modes: { content: 'append', structuredContent: 'merge-patch' },
      bodies,
      result: { content: [text('mixed'), MEDIA[0]!], structuredContent: { n: chunks } },
    };
  },
};

/** A character of each width in UTF-8, both line ends, the empty text, and words that look like no value. */
const WORDS: readonly string[] = [
  '',
  '0',
  'null ',
  'one\n',
  'zwei\r\n',
  'é',
  '日本 ',
  '😀',
  ' ',
  'a\nb\n',
  '\r',
];
const MEDIA: readonly ContentBlock[] = [
  { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
  { type: 'resource_link', uri: 'https://example.com/a', name: 'a' },
];
const KEYS = ['a', 'b', 'c'];

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

function a2ui(value: string): ContentBlock {
  return { type: 'resource', resource: { uri: 'a2ui://s', mimeType: 'application/a2ui+json', text: value } };
}

function prose(words: number, draw: Draw): string {
  return times(words, () => draw.of(WORDS)).join('');
}

function patch(draw: Draw, levels = 2): Record<string, unknown> {
  return Object.fromEntries(
    times(1 + draw.below(2), () => {
      const nested = levels > 0 && draw.chance(0.4);
      return [draw.of(KEYS), nested ? patch(draw, levels - 1) : draw.of([null, 0, false, '', 'x', [1], 7])];
    }),
  );
}

const CATALOG_ID = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';

function createRecord(surfaceId: string, words: string): object[] {
  const components = [{ id: 'root', component: 'Text', text: words }];
  return [
    { version: 'v0.9', createSurface: { surfaceId, catalogId: CATALOG_ID } },
    { version: 'v0.9', updateComponents: { surfaceId, components } },
  ];
}

/** Two surfaces that are created, filled, changed, deleted and created again, in any order. */
function records(count: number, draw: Draw): object[] {
  const all: object[] = [];
  while (all.length < count) {
    const surfaceId = draw.of(['s1', 's2']);
    const id = draw.of(['root', 'x', 'y']);
    const kind = draw.below(8);
    if (all.length === 0 || kind === 0) all.push(...createRecord(surfaceId, draw.of(WORDS)));
    else if (kind === 1) all.push({ version: 'v0.9', deleteSurface: { surfaceId } });
    else if (kind < 5) {
      const components = [
        { id, component: 'Text', text: draw.chance(0.5) ? { path: '/n' } : draw.of(WORDS) },
      ];
      all.push({ version: 'v0.9', updateComponents: { surfaceId, components } });
    } else {
      const value = draw.of([0, false, '', 'v', [1, 2], { k: 1 }]);
      all.push({
        version: 'v0.9',
        updateDataModel: { surfaceId, path: draw.of(['/n', '/m/k', '/']), value },
      });
    }
  }
  return all;
}

/** Into `pieces`, anywhere: inside a character, a number or an escape, and into nothing at all. */
function cut(whole: string, pieces: number, draw: Draw): string[] {
  const places = times(pieces - 1, () => draw.below(whole.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => whole.slice(from, places[i] ?? whole.length));
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function createDraw(seed: number) {
  const random = createRandom(seed);
  return {
    random,
    below: (bound: number): number => Math.floor(random() * bound),
    chance: (share: number): boolean => random() < share,
    of: <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!,
  };
}

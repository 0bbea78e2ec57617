import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createRecordSplitter, type RecordLimits } from './record-splitter.ts';

function split(pieces: string[], limits?: Partial<RecordLimits>) {
  const records: unknown[] = [];
  const problems: string[] = [];
  const splitter = createRecordSplitter({
    onRecord: (record) => records.push(record),
    onProblem: (problem) => problems.push(problem),
    ...(limits && { limits }),
  });
  for (const piece of pieces) splitter.push(piece);
  splitter.end();
  return { records, problems };
}

const SIX_LINES = [
  { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'c' } },
  { version: 'v0.9', updateComponents: { surfaceId: 's', components: [{ id: 'root', component: 'Text' }] } },
  { t: 'quote " brace { bracket [ backslash \\ newline \n tab \t' },
  { n: [1e-3, -0.5, 12345, true, null], unicode: '日本語 — 😀 \u00e9' },
  { deep: { er: [{ a: [[[]]] }] } },
  { last: 'no newline after this one' },
];

describe('whole messages', () => {
  it('come out the same for every cut in two (cases 24, 26)', () => {
    const text = SIX_LINES.map((line) => JSON.stringify(line)).join('\n');
    for (let at = 0; at <= text.length; at++) {
      const { records, problems } = split([text.slice(0, at), text.slice(at)]);
      expect(records).toEqual(SIX_LINES);
      expect(problems).toEqual([]);
    }
  });

  it('several in one piece, a blank line, and prose reported once (case 25)', () => {
    const { records, problems } = split(['{"a":1}\n\n{"b":2}\n{"c":3}\nThat is "all" {folks\n{"d":4}']);
    expect(records).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }, { d: 4 }]);
    expect(problems).toEqual(['not_json']);
  });

  it('follow each other without a newline', () => {
    expect(split(['{"a":1}{"b":2} {"c":3}']).records).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
  });

  it('come out of an array of messages, and not out of a list of anything else', () => {
    expect(split(['[{"a":1},', '{"b":2}]\n']).records).toEqual([{ a: 1 }, { b: 2 }]);
    expect(split(['[{"a":1},2]\n'])).toEqual({ records: [], problems: ['not_json'] });
  });

  it('a byte order mark before a message is not part of it (case 26)', () => {
    expect(split(['\uFEFF', '{"a":1}\n\uFEFF{"b":2}'])).toEqual({
      records: [{ a: 1 }, { b: 2 }],
      problems: [],
    });
  });

  it('an escape cut in the middle stays whole (case 26)', () => {
    expect(split(['{"a":"\\u00', 'e9","b":1e', '-3}']).records).toEqual([{ a: 'é', b: 0.001 }]);
    expect(split(['{"a":"\\', '"}"}']).records).toEqual([{ a: '"}' }]);
  });

  it('are never completed by a guess: what is out at any point is whole, and stays (case 27)', () => {
    const lines = [{ nums: [10, 20, 35] }, { a: [-5] }, { shown: true, text: 'or nothing' }, { n: 12 }];
    const texts = lines.map((line) => JSON.stringify(line));
    const text = texts.join('\n');
    for (let at = 0; at <= text.length; at++) {
      const records: unknown[] = [];
      const splitter = createRecordSplitter({
        onRecord: (record) => records.push(record),
        onProblem: (problem) => expect(problem).toBeUndefined(),
      });
      splitter.push(text.slice(0, at));
      const whole = texts.filter((_, i) => texts.slice(0, i + 1).join('\n').length <= at).length;
      expect(records).toEqual(lines.slice(0, whole));
    }
  });

  it('own keys named __proto__ stay data', () => {
    const { records } = split(['{"__proto__":{"x":1}}']);
    expect(Object.keys(records[0] as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});

describe('one bad line costs one line (case 9)', () => {
  it.each([
    ['bad JSON', '{"a": tru}', 'not_json'],
    ['an open bracket', '{"a": [1, 2', 'not_json'],
    ['an open string', '{"a": "never closed', 'not_json'],
    ['a backslash before the newline', '{"a": "x\\', 'not_json'],
    ['a stray closing bracket', '}', 'not_json'],
    ['mismatched brackets', '{"a":1]', 'not_json'],
    ['a scalar', '5', 'not_json'],
    ['text before a message', 'data: {"a":1}', 'not_json'],
  ])('%s', (_name, line, problem) => {
    const { records, problems } = split([`{"before":1}\n${line}\n{"after":2}\n`]);
    expect(records).toEqual([{ before: 1 }, { after: 2 }]);
    expect(problems).toEqual([problem]);
  });

  it('too deep, without overflowing', () => {
    const bomb = '['.repeat(100_000) + ']'.repeat(100_000);
    const { records, problems } = split([`{"a":${bomb}}\n{"b":2}\n`]);
    expect(records).toEqual([{ b: 2 }]);
    expect(problems).toEqual(['too_deep']);
  });

  it('the end of the stream inside a message is reported', () => {
    expect(split(['{"a":1}\n{"b":'])).toEqual({ records: [{ a: 1 }], problems: ['cut_off'] });
  });
});

describe('bounds', () => {
  it('a peer that never sends a newline is cut off at the cap, then resumes on the next line (case 28)', () => {
    const piece = 'x'.repeat(65_536);
    let largest = 0;
    const problems: string[] = [];
    const records: unknown[] = [];
    const splitter = createRecordSplitter({
      onRecord: (record) => records.push(record),
      onProblem: (problem) => problems.push(problem),
      limits: { maxRecordChars: 100_000 },
    });
    for (let i = 0; i < 800; i++) {
      splitter.push(piece);
      largest = Math.max(largest, splitter.pendingChars);
    }
    splitter.push('\n{"a":1}\n');
    expect(largest).toBeLessThanOrEqual(100_000);
    expect(problems).toEqual(['too_long']);
    expect(records).toEqual([{ a: 1 }]);
  });

  it.each([
    ['a message', '{"a":"', 'x'],
    ['white space', '', ' '],
    ['prose', '', 'x'],
  ])('%s in very many pieces is looked at once', (_name, start, piece) => {
    const pieces = 20_000;
    let looked = 0;
    const test = vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      looked += text.length;
      return this.exec(text) !== null;
    });
    const splitter = createRecordSplitter({ onRecord: () => {}, onProblem: () => {} });
    splitter.push(start);
    for (let i = 0; i < pieces; i++) if (splitter.idle || splitter.pendingChars > 0) splitter.push(piece);
    test.mockRestore();
    expect(looked).toBeLessThanOrEqual(pieces + start.length);
  });

  it('the cap is exact', () => {
    const at = JSON.stringify({ a: 'x'.repeat(12) });
    expect(split([at], { maxRecordChars: at.length }).records).toHaveLength(1);
    expect(split([at], { maxRecordChars: at.length - 1 })).toEqual({ records: [], problems: ['too_long'] });
  });
});

describe('after a loss', () => {
  it('text is discarded up to the next newline, so that two halves never join', () => {
    const records: unknown[] = [];
    const splitter = createRecordSplitter({ onRecord: (r) => records.push(r), onProblem: () => {} });
    splitter.push('{"a":1}\n{"left":');
    splitter.gap();
    splitter.push('{"inner":2}}\n{"b":3}\n');
    expect(records).toEqual([{ a: 1 }, { b: 3 }]);
  });
});

describe('for every stream', () => {
  const message = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const cuts = fc.array(fc.nat(), { maxLength: 12 });

  function cutAt(text: string, at: number[]): string[] {
    const points = [...new Set(at.map((n) => n % (text.length + 1)))].sort((a, b) => a - b);
    return [0, ...points].map((from, i) => text.slice(from, points[i] ?? text.length));
  }

  it('any cutting yields the messages that were sent', () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 8 }),
        cuts,
        fc.constantFrom('\n', '\r\n', ''),
        (sent, at, end) => {
          const text = sent.map((one) => JSON.stringify(one) + end).join('');
          const { records, problems } = split(cutAt(text, at));
          expect(problems).toEqual([]);
          expect(JSON.stringify(records)).toBe(
            JSON.stringify(sent.map((one) => JSON.parse(JSON.stringify(one)))),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('any text at all, cut anyhow, is judged like the whole', () => {
    const noise = fc
      .array(
        fc.constantFrom('{', '}', '[', ']', '"', '\\', '\n', ':', ',', '1', 'a', '{"a":1}', ' ', '\uFEFF'),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(noise, cuts, (text, at) => {
        expect(split(cutAt(text, at))).toEqual(split([text]));
      }),
      { numRuns: 5_000 },
    );
  });

  it('a lost stretch yields only messages that were sent', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), cuts, fc.nat(), (sent, at, lose) => {
        const pieces = cutAt(sent.map((one) => `${JSON.stringify(one)}\n`).join(''), at);
        const lost = lose % pieces.length;
        const records: unknown[] = [];
        const splitter = createRecordSplitter({ onRecord: (r) => records.push(r), onProblem: () => {} });
        pieces.forEach((piece, i) => (i === lost ? splitter.gap() : splitter.push(piece)));
        const known = new Set(sent.map((one) => JSON.stringify(JSON.parse(JSON.stringify(one)))));
        for (const record of records) expect(known.has(JSON.stringify(record))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

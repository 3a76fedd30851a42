import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runVectors } from './run-vectors.js';
import { readVectorFiles, VectorPathError } from './vector-file.js';

const FOLDER = fileURLToPath(new URL('../../vectors', import.meta.url));

function file(topic: string, vectors: readonly unknown[]) {
  return { path: 'made here', content: { topic, note: '', count: vectors.length, vectors } };
}

const vector = (inputs: unknown, expected: unknown) => ({
  name: 'one',
  source: 'made here',
  inputs,
  expected,
});

describe('the vector runner', () => {
  it('passes every published vector', () => {
    const { topics, problems } = runVectors(readVectorFiles(FOLDER));
    expect(problems).toEqual([]);
    expect(topics.size).toBe(15);
    for (const [topic, { passed, total }] of topics) {
      expect(total, topic).toBeGreaterThan(0);
      expect(passed, topic).toBe(total);
    }
  });

  it('fails a vector whose result or refusal is another one', () => {
    const wrong = [
      vector({ op: 'decode', hex: '9C00' }, { tlv: [{ tag: '9C', value: '00' }] }),
      vector({ op: 'decode', hex: '9C00' }, { error: 'badTag' }),
      vector({ op: 'decode', hex: '9C' }, { error: 'badTag' }),
      vector({ op: 'decode', hex: '9C' }, { tlv: [] }),
    ];
    const { topics, problems } = runVectors([file('bertlv', wrong)]);
    expect(topics.get('bertlv')).toEqual({ passed: 0, total: 4 });
    expect(problems).toHaveLength(4);
  });

  it('makes an entry that the schema does not allow an error, and leaves the others alone', () => {
    const vectors = [
      vector({ op: 'decode', hex: '9c00' }, { tlv: [] }),
      vector({ op: 'dance', hex: '9C00' }, { tlv: [] }),
      vector({ op: 'decode', hex: '9C00', more: 1 }, { tlv: [{ tag: '9C', value: '' }] }),
      vector({ op: 'decode', hex: '9C00' }, { tlv: [{ tag: '9C', value: '' }] }),
    ];
    const { topics, problems } = runVectors([file('bertlv', vectors)]);
    expect(topics.get('bertlv')).toEqual({ passed: 1, total: 4 });
    expect(problems.every((problem) => problem.includes('not of its schema'))).toBe(true);
  });

  it('reports the findings of the entry’s own operation', () => {
    const kcv = { op: 'kcv', method: 'tdesZeroBlock', key: '0123456789abcdef0123456789abcdef', kcvBytes: 3 };
    const { problems } = runVectors([file('mac-kcv', [vector(kcv, { kcv: 'D5D44F' })])]);
    expect(problems).toEqual([expect.stringMatching(/inputs\/key must match pattern/)]);
  });

  it('names an operation that is not known, and the likely one', () => {
    const vectors = [
      vector({ op: 'decod', hex: '9C00' }, { tlv: [] }),
      vector({ op: 'constructor', hex: '9C00' }, { tlv: [] }),
    ];
    const { topics, problems } = runVectors([file('bertlv', vectors)]);
    expect(topics.get('bertlv')).toEqual({ passed: 0, total: 2 });
    expect(problems).toEqual([
      'bertlv: one: not of its schema: operation "decod" is not known; did you mean decode?',
      'bertlv: one: not of its schema: operation "constructor" is not known; there are decode, encode, tagHeader, parseDol, buildDol',
    ]);
  });

  it('names a count that is not that of the vectors, and runs them all the same', () => {
    const good = vector({ op: 'decode', hex: '9C00' }, { tlv: [{ tag: '9C', value: '' }] });
    const { path, content } = file('bertlv', [good]);
    const { topics, problems } = runVectors([{ path, content: { ...content, count: 3 } }]);
    expect(topics.get('bertlv')).toEqual({ passed: 1, total: 1 });
    expect(problems).toEqual(['made here: count is 3, but vectors has 1']);
  });

  it.each([
    [[], /^made here: not an object with topic, note, count and vectors/],
    [null, /^made here: not an object/],
    [{ vectors: [] }, /^made here: no topic; it is one of bertlv, /],
    [{ topic: 'bertlw' }, /^made here: topic "bertlw" is not known; did you mean bertlv\?$/],
    [{ topic: 'constructor' }, /^made here: topic "constructor" is not known; there are bertlv, /],
    [{ topic: 'bertlv' }, /not of its schema: file must have required property/],
  ])('gives the reason why %j cannot be run', (content, reason) => {
    const { problems } = runVectors([{ path: 'made here', content }]);
    expect(problems[0]).toMatch(reason);
  });
});

describe('vector files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that are no JSON are reported, and the others of their folder are run', () => {
    const good = vector({ op: 'decode', hex: '9C00' }, { tlv: [{ tag: '9C', value: '' }] });
    writeFileSync(join(folder, 'good.json'), JSON.stringify(file('bertlv', [good]).content));
    writeFileSync(join(folder, 'broken.json'), '{"topic": ');
    const { topics, problems } = runVectors(readVectorFiles(folder));
    expect(topics.get('bertlv')).toEqual({ passed: 1, total: 1 });
    expect(problems).toEqual([expect.stringMatching(/broken\.json: no JSON: /)]);
  });

  it.each([
    ['', /no \*\.json file in this folder/],
    ['nothing-here', /no such file or folder/],
  ])('are not found at %j', (name, reason) => {
    expect(() => readVectorFiles(join(folder, name))).toThrow(VectorPathError);
    expect(() => readVectorFiles(join(folder, name))).toThrow(reason);
  });
});

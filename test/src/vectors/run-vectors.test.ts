import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runVectors } from './run-vectors.js';
import { readVectorFiles } from './vector-file.js';

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

  it('says what the entry’s own operation has against it', () => {
    const kcv = { op: 'kcv', method: 'tdesZeroBlock', key: '0123456789abcdef0123456789abcdef', kcvBytes: 3 };
    const { problems } = runVectors([file('mac-kcv', [vector(kcv, { kcv: 'D5D44F' })])]);
    expect(problems).toEqual([expect.stringMatching(/inputs\/key must match pattern/)]);
  });

  it('names a file without a known topic', () => {
    const { problems } = runVectors([{ path: 'x.json', content: [] }, file('constructor', [])]);
    expect(problems).toHaveLength(2);
  });
});

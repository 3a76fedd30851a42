import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../simulation/kernel/seeded-random.js';
import { DiskLogError, type LogEntry, MARKS_FILE, readDiskLog } from './disk-log.js';
import { type DiskImage, DiskModel, type SyncOutcome } from './disk-model.js';
import { powerCuts } from './power-cuts.js';

const write = (name: string, offset: number, text: string) =>
  ({ kind: 'write', name, offset, bytes: Buffer.from(text) }) as const;
const sync = (name: string) => ({ kind: 'sync', name }) as const;
const truncate = (name: string, size: number) => ({ kind: 'truncate', name, size }) as const;
const unlink = (name: string) => ({ kind: 'unlink', name }) as const;

/** The folder as names and texts; zero bytes are shown as dots. */
function shown(image: DiskImage): Readonly<Record<string, string>> {
  const text = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '.');
  return Object.fromEntries([...image].map(([name, bytes]) => [name, text(bytes)]));
}

/** A disk with a file `f` that holds `old text` for good. */
function diskWithFile(): DiskModel {
  const disk = new DiskModel();
  for (const deed of [write('f', 0, 'old text'), sync('f'), sync('')]) disk.apply(deed);
  return disk;
}

describe('a disk that loses its power', () => {
  it('keeps what was synced, and a name only when its folder was', () => {
    const disk = new DiskModel();
    disk.apply(write('f', 0, 'text'));
    disk.apply(sync('f'));
    expect(shown(disk.image([]))).toEqual({});
    disk.apply(sync(''));
    expect(shown(disk.image([]))).toEqual({ f: 'text' });
    expect(disk.pending).toEqual([]);
  });

  it('may have what was not synced, all of it, none, or some', () => {
    const disk = diskWithFile();
    disk.apply(write('f', 0, 'NEW'));
    disk.apply(write('f', 8, ' AND MORE'));
    const after = (...syncOutcomes: SyncOutcome[]) => shown(disk.image(syncOutcomes)).f;
    expect(after()).toBe('old text');
    expect(after('kept', 'kept')).toBe('NEW text AND MORE');
    expect(after('lost', 'kept')).toBe('old text AND MORE');
    expect(after({ torn: 2 })).toBe('NEd text');
    expect(after('lost', { torn: 4 })).toBe('old text AND');
    expect(after('zeros', 'zeros')).toBe('old text.........');
    expect(after()).toBe('old text');
  });

  it('may have a new size or not', () => {
    const disk = diskWithFile();
    disk.apply(truncate('f', 3));
    disk.apply(write('f', 5, 'x'));
    expect(shown(disk.image(['kept', 'kept'])).f).toBe('old..x');
    expect(shown(disk.image(['lost', 'kept'])).f).toBe('old txxt');
    disk.apply(sync('f'));
    expect(shown(disk.image([])).f).toBe('old..x');
  });

  it('may have a removed file again, and never confuses it with a new one of its name', () => {
    const disk = diskWithFile();
    disk.apply(unlink('f'));
    disk.apply(write('f', 0, 'second'));
    disk.apply(sync('f'));
    expect(shown(disk.image([])).f).toBe('old text');
    expect(shown(disk.image(['kept']))).toEqual({});
    expect(shown(disk.image(['kept', 'kept'])).f).toBe('second');
    disk.apply(sync(''));
    expect(shown(disk.image([]))).toEqual({ f: 'second' });
  });

  it('keeps nothing of a file whose syncs do not count', () => {
    const disk = new DiskModel((name) => name !== 'f');
    for (const deed of [write('f', 0, 'text'), sync('f'), sync('')]) disk.apply(deed);
    expect(shown(disk.image([]))).toEqual({ f: '' });
  });
});

describe('power cuts', () => {
  const entries: readonly LogEntry[] = [
    write('f', 0, 'one'),
    sync(''),
    sync('f'),
    { kind: 'acknowledged', commits: 1 },
    write('f', 3, 'two'),
    truncate('g', 0),
  ];

  it('leave, at every point, everything that could be left there, and the same with the same seed', () => {
    const cuts = (seed: string) => [...powerCuts(entries, { random: new SeededRandom(seed) })];
    const first = cuts('a');
    const left = new Set(first.map(({ image }) => JSON.stringify(shown(image))));
    for (const image of [{}, { f: '' }, { f: 'one' }, { f: 'onetwo' }, { f: 'one...' }, { f: 'one', g: '' }])
      expect(left).toContain(JSON.stringify(image));
    const acknowledged = first.filter((cut) => cut.acknowledged === 1);
    expect(acknowledged.every(({ image }) => shown(image).f?.startsWith('one'))).toBe(true);
    expect(cuts('a')).toEqual(first);
    expect(cuts('b')).not.toEqual(first);
  });
});

describe('the record of a disk', () => {
  const entry = (kind: number, name: string, offset: number, content = ''): Buffer => {
    const header = Buffer.alloc(15);
    header.writeUInt8(kind);
    header.writeUInt16LE(name.length, 1);
    header.writeBigUInt64LE(BigInt(offset), 3);
    header.writeUInt32LE(content.length, 11);
    return Buffer.concat([header, Buffer.from(name), Buffer.from(content)]);
  };

  it('is read as it was written, shared memory left out', () => {
    const record = Buffer.concat([
      entry(1, 'f', 7, 'text'),
      entry(1, 'f-shm', 0, 'x'),
      entry(2, 'f', 9),
      entry(3, 'f', 0),
      entry(4, '', 0),
      entry(1, MARKS_FILE, 0, '12'),
    ]);
    const mark = { kind: 'acknowledged', commits: 12 };
    expect(readDiskLog(record)).toEqual([
      write('f', 7, 'text'),
      truncate('f', 9),
      unlink('f'),
      sync(''),
      mark,
    ]);
  });

  it('is refused when it is cut off, or has an entry that the model does not know', () => {
    const whole = entry(1, 'f', 0, 'text');
    expect(() => readDiskLog(whole.subarray(0, -1))).toThrow(DiskLogError);
    expect(() => readDiskLog(Buffer.concat([whole, Buffer.alloc(3)]))).toThrow('cut off at byte 20');
    expect(() => readDiskLog(entry(5, 'f', 0, 'rename'))).toThrow('rename of f');
  });
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import {
  TEST_CERTIFICATE,
  TEST_CERTIFICATE_KEY,
} from '@tillbridge/wire/crypto/emv/certificate.test.support.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copiedJournal } from '../journal/copy/copied-journal.js';
import { CopyCipher } from '../journal/copy/copy-cipher.js';
import type { CopyEntry, CopyTarget } from '../journal/copy/copy-target.js';
import { CopyUnavailable } from '../journal/copy/copy-unavailable.js';
import { FileCopy } from '../journal/copy/file-copy.js';
import { HttpCopy } from '../journal/copy/http-copy.js';
import { JournalCopier } from '../journal/copy/journal-copier.js';
import { MemoryJournal } from '../journal/testing/memory-journal.test.support.js';
import { createReplicaServer } from './replica-server.js';
import { ReplicaStore } from './replica-store.js';

const SECRET = 'a-secret-of-two-replicas';
const AGENT = 'store-1';

let folder: string;
let copies: ReplicaStore;
let server: FastifyInstance;
let url: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replica-'));
  copies = new ReplicaStore(join(folder, 'copies'));
  server = createReplicaServer({
    copies,
    peers: new Map([[AGENT, SECRET]]),
    tls: { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY },
    log: pino({ level: 'silent' }),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  url = `https://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await server.close();
  await copies.close();
  rmSync(folder, { recursive: true });
});

const address = (more: object = {}) => ({
  url,
  agentId: AGENT,
  secret: SECRET,
  ca: TEST_CERTIFICATE,
  ...more,
});

const TARGETS: Readonly<Record<string, () => Promise<CopyTarget>>> = {
  folder: () => FileCopy.open(join(folder, 'mine'), { create: true }),
  replica: async () => new HttpCopy(address()),
};

const entry = (
  kind: CopyEntry['kind'],
  number: number,
  name = '',
  text = `${kind} ${number} ${name}`,
): CopyEntry => ({
  kind,
  number,
  name,
  sealed: Buffer.from(text),
});
const texts = (entries: readonly CopyEntry[]) => entries.map(({ sealed }) => Buffer.from(sealed).toString());

describe.each(Object.entries(TARGETS))('copy target: %s', (_name, open) => {
  let target: CopyTarget;
  beforeEach(async () => {
    target = await open();
  });
  afterEach(() => target.close());

  it('gives back what a batch put, in order, page by page', async () => {
    const put = [
      entry('row', 10),
      entry('row', 9),
      entry('row', 11),
      entry('kept', 1),
      entry('blob', 0, 'm2'),
      entry('blob', 0, 'm1'),
    ];
    await target.write({ put, dropBlobs: [], dropRowsTo: 0 });
    expect(texts(await target.list('row', { number: -1, name: '' }, 2))).toEqual(['row 9 ', 'row 10 ']);
    expect(texts(await target.list('row', { number: 10, name: '' }, 5))).toEqual(['row 11 ']);
    expect(texts(await target.list('blob', { number: 0, name: 'm1' }, 5))).toEqual(['blob 0 m2']);
    expect(Buffer.from((await target.get('kept', 1)) ?? []).toString()).toBe('kept 1 ');
    expect(await target.get('blob', 0, 'm3')).toBeUndefined();
  });

  it('replaces, drops blobs by name and rows up to a number, at once', async () => {
    const rows = [1, 2, 3].map((number) => entry('row', number));
    await target.write({
      put: [...rows, entry('blob', 0, 'm1'), entry('place', 0)],
      dropBlobs: [],
      dropRowsTo: 0,
    });
    await target.write({ put: [entry('place', 0, '', 'later')], dropBlobs: ['m1', 'never'], dropRowsTo: 2 });
    expect(texts(await target.list('row', { number: -1, name: '' }, 9))).toEqual(['row 3 ']);
    expect(texts(await target.list('place', { number: -1, name: '' }, 9))).toEqual(['later']);
    expect(await target.get('blob', 0, 'm1')).toBeUndefined();
  });

  it('begins anew and keeps what was there aside', async () => {
    await target.write({ put: [entry('row', 1)], dropBlobs: [], dropRowsTo: 0 });
    await target.beginAnew();
    expect(await target.get('row', 1)).toBeUndefined();
    await target.write({ put: [entry('row', 7)], dropBlobs: [], dropRowsTo: 0 });
    expect(texts(await target.list('row', { number: -1, name: '' }, 9))).toEqual(['row 7 ']);
    const [place] = ['mine', join('copies', AGENT)].filter((name) => existsSync(join(folder, name)));
    expect(
      readdirSync(join(folder, place ?? '')).filter((name) => name === 'journal-copy-1.db'),
    ).toHaveLength(1);
  });
});

describe('a replica', () => {
  it('takes nothing without the secret, or for an agent that it does not know', async () => {
    for (const wrong of [{ secret: 'wrong' }, { agentId: 'store-2' }, { agentId: '../store-1' }])
      await expect(new HttpCopy(address(wrong)).get('home', 0)).rejects.toThrow(/401|404/);
    expect(existsSync(join(folder, 'copies'))).toBe(false);
  });

  it('is believed only under the certificate that was given', async () => {
    const opened = new HttpCopy({ url, agentId: AGENT, secret: SECRET }).get('home', 0);
    await expect(opened).rejects.toThrow(CopyUnavailable);
    await expect(opened).rejects.toThrow(/SELF_SIGNED|UNABLE_TO_VERIFY/);
  });

  it('lets only the newest writer write', async () => {
    const old = new HttpCopy(address());
    const batch = { put: [entry('row', 1)], dropBlobs: [], dropRowsTo: 0 };
    await old.write(batch);
    const restored = new HttpCopy(address());
    expect(await restored.get('row', 1)).toBeDefined();
    await old.write(batch);
    await restored.write({ put: [entry('row', 2)], dropBlobs: [], dropRowsTo: 0 });
    await expect(old.write(batch)).rejects.toThrow('409');
    await expect(old.beginAnew()).rejects.toThrow('409');
    expect(await new HttpCopy(address()).list('row', { number: -1, name: '' }, 9)).toHaveLength(2);
  });

  it('refuses what is no batch, and goes on', async () => {
    const copy = new HttpCopy(address());
    const nonsense = {
      put: [{ kind: 'row', number: -1, name: '', sealed: Buffer.from('x') }],
      dropBlobs: [],
      dropRowsTo: 0,
    };
    await expect(copy.write(nonsense as never)).rejects.toThrow('400');
    await expect(copy.write({ put: [], dropBlobs: [], dropRowsTo: 0.5 })).rejects.toThrow('400');
    await copy.write({ put: [entry('row', 1)], dropBlobs: [], dropRowsTo: 0 });
  });

  it('holds a journal that it cannot read, and the copier catches up when it comes back', async () => {
    const journal = new MemoryJournal();
    const copier = new JournalCopier({
      journal,
      mode: 'required',
      cipher: new CopyCipher(new Uint8Array(32), systemRandom),
      home: { agentId: AGENT, generation: 1, files: new Map() },
      open: async () => new HttpCopy(address()),
      clock: new VirtualClock(0),
    });
    const copied = copiedJournal(journal, copier);
    const data = { text: 'what was sold' };
    await copied.append({ atMs: 1, rows: [{ kind: 'accepted', reference: 'REF-1', terminalId: '1', data }] });
    expect([copier.state.kind, copier.rowsBehind]).toEqual(['in-sync', 0]);
    await copied.close();
    await copies.close();
    const place = join(folder, 'copies', AGENT);
    for (const name of readdirSync(place)) {
      const bytes = readFileSync(join(place, name));
      for (const secret of ['REF-1', 'what was sold', AGENT]) expect(bytes.includes(secret)).toBe(false);
    }
  });
});

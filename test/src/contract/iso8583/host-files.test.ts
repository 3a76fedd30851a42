import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { nameReader } from '@tillbridge/gateway/core/acquirers/configuration/file-names.js';
import { Chargebacks } from '@tillbridge/gateway/core/payments/chargebacks/chargebacks.js';
import { ENTITY, restPayment } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { setAccount } from '@tillbridge/gateway/features/settlement/administration.js';
import {
  listAcquirerFiles,
  settleAcquirerFile,
} from '@tillbridge/gateway/features/settlement/host-files/administer-files.js';
import { FolderPlace } from '@tillbridge/gateway/features/settlement/host-files/file-place.js';
import {
  type HostFileSource,
  HostFiles,
} from '@tillbridge/gateway/features/settlement/host-files/host-files.js';
import { STANDARD_FORM } from '@tillbridge/gateway/features/settlement/import/csv-form.js';
import { allRows } from '@tillbridge/gateway/kernel/store/all-rows.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EXTERNAL, LinkedGateway, MERCHANT } from './linked-gateway.js';

let gateway: LinkedGateway;
/** Where the acquirer puts its files, and where the gateway keeps them while it imports. */
let place: string;
let spool: string;
let files: HostFiles;
let source: HostFileSource;

beforeEach(async () => {
  gateway = await LinkedGateway.open();
  const { store, clock } = gateway.harness;
  const { merchantId: clearingMerchantId } = MERCHANT;
  await setAccount({ store, clock, random, actor: 'test' }, ENTITY, { clearingMerchantId });
  place = join(gateway.folder, 'settlement');
  mkdirSync(place, { recursive: true });
  spool = join(gateway.folder, 'spool');
  source = {
    acquirer: EXTERNAL.name,
    place: new FolderPlace(place),
    form: STANDARD_FORM,
    settlements: nameReader('settlement-{day}.csv'),
    chargebacks: nameReader('chargebacks-*.csv'),
  };
  files = openFiles();
});
afterEach(() => gateway.close());

/** What a process of the gateway looks with. */
function openFiles(): HostFiles {
  const { store, clock, context, alerts } = gateway.harness;
  return new HostFiles({
    store,
    clock,
    random,
    chargebacks: new Chargebacks({ context, alerts }),
    folder: spool,
  });
}

/** Two looks: a file is taken once it has not changed between them. */
async function look(by: HostFiles = files): Promise<void> {
  for (const _ of [1, 2]) await by.look(source);
}

const pay = async (minor = 1_234) =>
  gateway.settled(
    gateway.service.authorize(
      restPayment({ type: 'DB', testMode: 'EXTERNAL', amount: { minor, currency: 'EUR' } }),
    ),
  );
const states = async () =>
  (await listAcquirerFiles(gateway.harness.store)).map(({ name, state }) => `${name} ${state}`).sort();
const records = () => allRows(gateway.harness.store, 'settlementRecords');
const alerts = async () =>
  (await allRows(gateway.harness.store, 'alerts')).map(({ code, subject, endedAtMs }) => [
    code,
    subject,
    endedAtMs === null,
  ]);

/** Ends the day of the host; the path of its settlement file. */
async function cutOver(): Promise<{ readonly day: string; readonly path: string }> {
  const day = await gateway.host.day();
  await gateway.host.cutOver();
  return { day, path: join(place, `settlement-${day}.csv`) };
}

it('imports the files of the host once, each by its day, and compares them', async () => {
  gateway.harness.mayDiffer = true;
  const [, charged] = [await pay(), await pay(5_000)];
  const message = (await gateway.host.database.transactions())[1]?.message ?? '';
  expect(await gateway.host.chargeBack({ message, amountMinor: 5_000, reason: '10.4' })).toBe(true);
  const { day } = await cutOver();
  await look();
  expect(await states()).toEqual([`chargebacks-${day}.csv imported`, `settlement-${day}.csv imported`]);
  const { store } = gateway.harness;
  expect(await store.get('payments', [charged?.paymentId ?? ''])).toMatchObject({ chargedBackMinor: 5_000 });
  expect((await allRows(store, 'linkFiles')).map((row) => row.day)).toEqual([Number(day)]);
  expect(await allRows(store, 'linkSettled')).toHaveLength(2);
  const before = await records();
  expect(before).toHaveLength(3);
  // Neither another look, nor a new process, nor a file that was touched alone changes anything.
  await look();
  const path = join(place, `settlement-${day}.csv`);
  utimesSync(path, new Date(1), new Date(1));
  await look(openFiles());
  expect(await records()).toEqual(before);
  expect(await alerts()).toEqual([]);
  expect(readdirSync(spool)).toEqual([]);
});

it('takes a file without rows as a day on which nothing was settled', async () => {
  await pay();
  const { day, path } = await cutOver();
  const [head = ''] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${head}\n`);
  await look();
  expect(await states()).toContain(`settlement-${day}.csv imported`);
  expect((await gateway.differences()).join()).toContain('not-settled');
});

it('puts a broken file aside with an alert, and takes it once it was sent again', async () => {
  await pay();
  const { day, path } = await cutOver();
  const good = readFileSync(path, 'utf8');
  writeFileSync(path, good.replace('12.34', '4200000000000000'));
  await look();
  const subject = `EXTERNAL/settlement-${day}.csv`;
  expect(await states()).toContain(`settlement-${day}.csv quarantined`);
  expect(await alerts()).toEqual([['acquirer-file-quarantined', subject, true]]);
  expect(await records()).toEqual([]);
  expect(await allRows(gateway.harness.store, 'linkFiles')).toEqual([]);
  const [view] = (await listAcquirerFiles(gateway.harness.store)).filter(
    ({ state }) => state === 'quarantined',
  );
  expect(view?.faults?.join()).toMatch(/^line 2: Amount/);
  const kept = JSON.stringify([
    await allRows(gateway.harness.store, 'acquirerFiles'),
    await allRows(gateway.harness.store, 'alerts'),
  ]);
  expect(kept).not.toContain('4200000000000000');
  writeFileSync(path, good);
  await look();
  expect(await states()).toContain(`settlement-${day}.csv imported`);
  expect(await alerts()).toEqual([['acquirer-file-quarantined', subject, false]]);
  expect(await records()).toHaveLength(1);
  expect(await gateway.differences()).toEqual([]);
});

it.each([
  ['no bytes', () => ''],
  ['headings of another kind', (text: string) => text.replace('Currency', '4200000000000000')],
  ['half of a row at its end', (text: string) => text.slice(0, -60)],
  ['bytes that are no text', () => '\0\0\0'],
])('puts aside a file with %s', async (_, spoil) => {
  await pay();
  const { day, path } = await cutOver();
  writeFileSync(path, spoil(readFileSync(path, 'utf8')));
  await look();
  expect(await states()).toContain(`settlement-${day}.csv quarantined`);
  expect(JSON.stringify(await allRows(gateway.harness.store, 'acquirerFiles'))).not.toContain(
    '4200000000000000',
  );
  expect(await records()).toEqual([]);
});

it('imports a file again, or never, as an operator orders', async () => {
  const { store, clock } = gateway.harness;
  await pay();
  const { day, path } = await cutOver();
  const name = `settlement-${day}.csv`;
  await setAccount({ store, clock, random, actor: 'test' }, ENTITY, { clearingMerchantId: 'MERCHANT-2' });
  await look();
  expect(await states()).toContain(`${name} quarantined`);
  // Without a cause that is removed it is put aside again.
  await settleAcquirerFile({ store, clock }, ['EXTERNAL', name], { state: 'due' });
  await look();
  expect(await states()).toContain(`${name} quarantined`);
  await settleAcquirerFile({ store, clock }, ['EXTERNAL', name], { state: 'dropped', note: 'test' });
  await look();
  expect(await states()).toContain(`${name} dropped`);
  expect(await alerts()).toEqual([['acquirer-file-quarantined', `EXTERNAL/${name}`, false]]);
  await setAccount({ store, clock, random, actor: 'test' }, ENTITY, {
    clearingMerchantId: MERCHANT.merchantId,
  });
  await settleAcquirerFile({ store, clock }, ['EXTERNAL', name], { state: 'due' });
  await look();
  expect(await states()).toContain(`${name} imported`);
  const again = settleAcquirerFile({ store, clock }, ['EXTERNAL', name], { state: 'due' });
  await expect(again).rejects.toThrow(/is imported/);
  const unknown = settleAcquirerFile({ store, clock }, ['EXTERNAL', 'x.csv'], { state: 'due' });
  await expect(unknown).rejects.toThrow(/no file x\.csv/);
  rmSync(path);
  await look();
  expect(await gateway.differences()).toEqual([]);
});

it('leaves alone what still comes, what leads elsewhere, and what has another name', async () => {
  await pay();
  const { day, path } = await cutOver();
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.slice(0, 100));
  await files.look(source);
  appendFileSync(path, text.slice(100));
  await files.look(source);
  expect(await states()).not.toContain(`settlement-${day}.csv quarantined`);
  symlinkSync(path, join(place, 'settlement-20261101.csv'));
  mkdirSync(join(place, 'settlement-20261102.csv'));
  writeFileSync(join(place, `settlement-${day}.csv.part`), text);
  await look();
  expect((await states()).filter((each) => each.startsWith('settlement'))).toEqual([
    `settlement-${day}.csv imported`,
  ]);
});

it('imports each row once where two nodes look at the same time', async () => {
  for (const minor of [100, 200, 300]) await pay(minor);
  await cutOver();
  const nodes = [openFiles(), openFiles()];
  // One that loses a race leaves the rest to the next look.
  for (const _ of [1, 2, 3]) await Promise.allSettled(nodes.map((node) => node.look(source)));
  expect(await records()).toHaveLength(3);
  expect((await states()).every((state) => state.endsWith('imported'))).toBe(true);
  expect(await gateway.differences()).toEqual([]);
});

it('goes on after an import that ended half way', async () => {
  for (const minor of [100, 200, 300]) await pay(minor);
  const { path } = await cutOver();
  const { store } = gateway.harness;
  const text = readFileSync(path, 'utf8');
  const cut = new Proxy(store, {
    get: (of, name) =>
      name === 'commit'
        ? async (changes: Parameters<typeof store.commit>[0]) => {
            await store.commit(changes);
            if (changes.some((change) => 'table' in change && change.table === 'settlementRecords'))
              throw new Error('the process ended');
          }
        : Reflect.get(of, name).bind(of),
  });
  const { clock, context, alerts: raised } = gateway.harness;
  const chargebacks = new Chargebacks({ context, alerts: raised });
  const dying = new HostFiles({ store: cut, clock, random, chargebacks, folder: spool });
  await dying.look(source);
  await expect(dying.look(source)).rejects.toThrow('the process ended');
  expect(readFileSync(path, 'utf8')).toBe(text);
  await look(openFiles());
  expect(await records()).toHaveLength(3);
  expect((await states()).every((state) => state.endsWith('imported'))).toBe(true);
  expect(await gateway.differences()).toEqual([]);
});

it('reports that its place cannot be read', async () => {
  source = { ...source, place: new FolderPlace(join(place, 'none')) };
  await expect(files.look(source)).rejects.toThrow(/none cannot be read: ENOENT/);
});

import { encodeTlv, tlv } from '@tillbridge/protocol/emv/tlv.js';
import type { BytePipe } from '@tillbridge/protocol/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/protocol/seams/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/protocol/seams/virtual-clock.js';
import { encodeClassicResponse } from '@tillbridge/protocol/terminals/abecs/classic.js';
import type { FieldValues } from '@tillbridge/protocol/terminals/abecs/field-values.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { supervisePort } from '../../ports/port-supervisor.js';
import type { DriverProgress, DriverState, StartRequest, TerminalDriver } from '../driver.js';
import { LAST_MESSAGE_MS, LIVENESS_INTERVAL_MS } from '../limits.js';
import type { AbecsConfig } from './config.js';
import { developmentConfig } from './default-tables.js';
import { openGertecDriver } from './gertec-driver.js';
import { ScriptedDevice } from './scripted-device.test.support.js';
import { tableVersion } from './session.js';

const CONFIG: AbecsConfig = developmentConfig({
  country: '276',
  currency: 'EUR',
  merchantCategory: '5999',
  merchantId: 'SHOP1',
  terminalId: 'T1',
});
const REQUEST: StartRequest = {
  kind: 'sale',
  amount: { minor: 1234, currency: 'EUR' },
  date: '261120',
  time: '101530',
  transactionSequenceNumber: 42,
  risk: {
    floorLimitMinor: 5_000,
    randomSelectionThresholdMinor: 0,
    randomSelectionTargetPercent: 0,
    randomSelectionMaxPercent: 0,
  },
  cardTimeoutMs: 60_000,
};
const KSN = Buffer.from('FFFF9876543210E00001', 'hex');
const TRACK2 = Buffer.alloc(24, 0xa5);
const CHIP: FieldValues = {
  PP_CARDTYPE: '03',
  PP_AIDTABINFO: '010101',
  PP_PAN: '420000******0000',
  PP_PANSEQNO: '01',
  PP_TRK2INC: '420000******0000=3112201',
  PP_LABEL: 'VISA CREDIT',
  PP_CARDEXP: '311231',
  PP_EMVDATA: encodeTlv([tlv('84', Buffer.from('A0000000031010', 'hex')), tlv('9F24', Buffer.from('TLBR0'))]),
};
const SWIPE: FieldValues = { PP_CARDTYPE: '00', PP_ICCSTAT: '0', PP_TRK2INC: '420000******0075=3112101' };
const GTK = { ok: { PP_TRACK2: TRACK2, PP_TRK2KSN: KSN } };
const ARQC_DATA = encodeTlv([tlv('9F26', Buffer.alloc(8, 1)), tlv('9F27', Uint8Array.of(0x80))]);
const TC_DATA = encodeTlv([tlv('9F26', Buffer.alloc(8, 2)), tlv('9F27', Uint8Array.of(0x40))]);
const ONLINE: FieldValues = { PP_GOXRES: '200000', PP_EMVDATA: ARQC_DATA };

let clock: VirtualClock;
let device: ScriptedDevice;
let driver: TerminalDriver;
let states: DriverState[];
let plugged: boolean;
let steps: DriverProgress[];

async function open(config = CONFIG): Promise<void> {
  const port = supervisePort({
    clock,
    open: async (): Promise<BytePipe> => {
      if (!plugged) throw new Error('port does not exist');
      const [host, end] = memoryPipe();
      device.plug(end);
      return host;
    },
  });
  driver = openGertecDriver({ port, clock, config, log: { info: () => {}, warn: () => {} } });
  driver.onState((state) => states.push(state));
  await settle();
  await settle();
}

const progress = (step: DriverProgress) => steps.push(step);

beforeEach(() => {
  clock = new VirtualClock();
  device = new ScriptedDevice();
  device.tableVersion = tableVersion(CONFIG.tables);
  states = [];
  steps = [];
  plugged = true;
});
afterEach(() => driver.close());

describe('opening a session', () => {
  it('frees the device, learns what it is, and is ready', async () => {
    await open();
    expect(driver.state).toBe('ready');
    expect(device.cancels).toBe(1);
    expect(device.ids.slice(0, 2)).toEqual(['OPN', 'GIX']);
    expect(device.ids).not.toContain('TLI');
    expect(driver.identity).toEqual({
      maker: 'GERTEC',
      model: 'PPC-930',
      firmware: '1400.12503',
      serial: '7200032211005539',
    });
    await clock.advance(0);
    expect(device.ids.slice(2)).toEqual(['OPN', 'DSP']);
  });

  it('loads the tables when their version differs, once', async () => {
    device.tableVersion = 'OLD0000001';
    await open();
    expect(driver.state).toBe('ready');
    expect(device.ids.filter((id) => id === 'TLR').length).toBeGreaterThan(1);
    expect(device.ids.indexOf('TLE')).toBeGreaterThan(device.ids.indexOf('TLR'));
    expect(device.tableVersion).toBe(tableVersion(CONFIG.tables));
    await device.unplug();
    await clock.advance(1_000);
    expect(driver.state).toBe('ready');
    expect(device.ids.filter((id) => id === 'TLI')).toHaveLength(1);
  });

  it('stays away from ready while the tables cannot be stored, and tries again', async () => {
    device.tableVersion = 'OLD0000001';
    device.on('TLE', { status: 'ST_TABERR' });
    await open();
    expect(driver.state).toBe('connecting');
    const refused = await driver.start(REQUEST, progress);
    expect(refused).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    await clock.advance(1_000);
    expect(driver.state).toBe('ready');
  });

  it('finds a device that is plugged in later, and one that was deaf', async () => {
    plugged = false;
    await open();
    expect(driver.state).toBe('disconnected');
    plugged = true;
    device.on('OPN', 'deaf', 'deaf', 'deaf');
    await clock.advance(20_000);
    expect(driver.state).toBe('ready');
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('refuses a configuration that ABECS cannot carry', () => {
    const port = supervisePort({ clock, open: () => Promise.reject(new Error('no port')) });
    const log = { info: () => {}, warn: () => {} };
    expect(() => openGertecDriver({ port, clock, log, config: { ...CONFIG, pinKeyIndex: 100 } })).toThrow(
      /key index/,
    );
    driver = openGertecDriver({ port, clock, log, config: CONFIG });
  });
});

describe('a chip sale', () => {
  beforeEach(async () => {
    await open();
    await clock.advance(0);
    device.seen.length = 0;
  });

  it('goes online and ends in TC', async () => {
    device.on('GCX', { ok: CHIP, notes: [`${'SELECIONADO:'.padEnd(16)}VISA CREDIT`] });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    const outcome = await driver.start(REQUEST, progress);
    expect(outcome).toEqual({
      kind: 'online-required',
      card: {
        facts: {
          entryMode: 'ICC',
          bin: '420000',
          last4Digits: '0000',
          expiry: '3112',
          panSequenceNumber: '01',
          aid: 'A0000000031010',
          label: 'VISA CREDIT',
          paymentAccountReference: 'TLBR0',
        },
        iccData: ARQC_DATA,
        sred: { data: TRACK2, ksn: KSN },
      },
    });
    expect(driver.state).toBe('busy');
    expect(device.ids).toEqual(['OPN', 'GCX', 'GTK', 'GOX']);
    expect(steps).toContainEqual({ step: 'message', text: 'SELECIONADO: VISA CREDIT' });

    device.on('FCX', { ok: { PP_FCXRES: '000', PP_EMVDATA: TC_DATA, PP_ISRESULTS: Buffer.alloc(5, 0x20) } });
    const issuerData = encodeTlv([
      tlv('8A', Buffer.from('00')),
      tlv('91', Buffer.alloc(8, 7)),
      tlv('72', [tlv('86', Buffer.alloc(10, 1))]),
    ]);
    const end = await driver.complete({ kind: 'approved', responseCode: '00', issuerData }, progress);
    expect(end).toEqual({
      kind: 'approved',
      iccData: Buffer.concat([TC_DATA, encodeTlv([tlv('9F5B', Buffer.alloc(5, 0x20))])]),
    });
    const fcx = device.lastOf('FCX').fields;
    expect(fcx.text('SPE_FCXOPT')).toBe('0000');
    expect(fcx.text('SPE_ARC')).toBe('00');
    expect(fcx.bytes('SPE_EMVDATA')?.subarray(0, 1).toString('hex')).toBe('91');

    await driver.finish('APPROVED THANK YOU VERY MUCH');
    expect(driver.state).toBe('ready');
    expect(device.ids.slice(-2)).toEqual(['RMC', 'CLX']);
    expect(device.lastOf('CLX').fields.text('SPE_DSPMSG')).toBe('APPROVED THANK\rYOU VERY MUCH');
    await clock.advance(LAST_MESSAGE_MS);
    expect(device.ids.slice(-2)).toEqual(['OPN', 'DSP']);
  });

  it('asks for what the sale needs and for no card data in clear', async () => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    await driver.start(REQUEST, progress);
    const gcx = device.lastOf('GCX').fields;
    expect(gcx.text('SPE_AMOUNT')).toBe('000000001234');
    expect(gcx.text('SPE_TRNCURR')).toBe('978');
    expect(gcx.text('SPE_GCXOPT')).toBe('10000');
    expect(gcx.text('SPE_PANMASK')).toBe('0604');
    expect(gcx.number('SPE_TIMEOUT')).toBe(60);
    const gtk = device.lastOf('GTK').fields;
    expect([gtk.text('SPE_TRACKS'), gtk.text('SPE_MTHDDAT'), gtk.text('SPE_KEYIDX')]).toEqual([
      '0010',
      '51',
      '01',
    ]);
    expect(gtk.has('SPE_OPNDIG')).toBe(false);
    const gox = device.lastOf('GOX').fields;
    expect(gox.bytes('SPE_TRMPAR')?.toString('hex')).toBe('00001388000000000000');
    expect(gox.bytes('SPE_EMVDATA')?.toString('hex')).toBe('9f4104000000425f360102');
    expect([gox.text('SPE_MTHDPIN'), gox.text('SPE_ACQREF')]).toEqual(['3', '01']);
    for (const { fields } of device.seen) {
      const tags = fields.bytes('SPE_TAGLIST')?.toString('hex') ?? '';
      expect(tags.match(/../g) ?? []).not.toContain('5a');
      expect(tags.match(/../g) ?? []).not.toContain('57');
    }
  });

  it('carries the PIN block of the chip, and drops tags with card data that a device gives unasked', async () => {
    const data = encodeTlv([
      tlv('5A', Buffer.from('4200000000000000', 'hex')),
      tlv('9F26', Buffer.alloc(8, 1)),
      tlv('5F20', Buffer.from('NAME')),
    ]);
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', {
      ok: { PP_GOXRES: '202000', PP_EMVDATA: data, PP_PINBLK: Buffer.alloc(8, 9), PP_KSN: KSN },
      notes: ['SOLICITE A SENHA'],
    });
    const outcome = await driver.start(REQUEST, progress);
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        pin: { data: Buffer.alloc(8, 9), ksn: KSN },
        iccData: encodeTlv([tlv('9F26', Buffer.alloc(8, 1))]),
      },
    });
    expect(steps).toContainEqual({ step: 'pin-entry' });
  });

  it.each([
    ['000000', 'approved-offline'],
    ['100000', 'declined-offline'],
  ])('lets the card decide: %s is %s', async (result, kind) => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: { PP_GOXRES: result, PP_EMVDATA: TC_DATA } });
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind, card: { iccData: TC_DATA } });
    const end = await driver.complete({ kind: 'unable-to-go-online' }, progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'internal' });
  });

  it('tells the card that nobody could be reached: TC or AAC', async () => {
    for (const [code, kind] of [
      ['000', 'approved'],
      ['100', 'declined'],
    ] as const) {
      device.on('GCX', { ok: CHIP });
      device.on('GTK', GTK);
      device.on('GOX', { ok: ONLINE });
      await driver.start(REQUEST, progress);
      device.on('FCX', { ok: { PP_FCXRES: code, PP_EMVDATA: TC_DATA } });
      expect(await driver.complete({ kind: 'unable-to-go-online' }, progress)).toEqual({
        kind,
        iccData: TC_DATA,
      });
      expect(device.lastOf('FCX').fields.text('SPE_FCXOPT')).toBe('2000');
      expect(device.lastOf('FCX').fields.has('SPE_ARC')).toBe(false);
      await driver.finish('DONE');
    }
  });

  it('refuses issuer data that the device cannot take, before the card hears anything', async () => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    await driver.start(REQUEST, progress);
    const issuerData = encodeTlv([tlv('72', [tlv('86', Buffer.alloc(520))])]);
    const end = await driver.complete({ kind: 'approved', responseCode: '00', issuerData }, progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'data-too-long' });
    expect(device.ids).not.toContain('FCX');
  });

  it('forgets card data that came back in clear', async () => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', { ok: { PP_TRACK2: TRACK2 } });
    expect(await driver.start(REQUEST, progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
  });

  it('enciphers the PAN when the chip has no track 2', async () => {
    const { PP_TRK2INC: _track, ...bare } = CHIP;
    device.on('GCX', { ok: bare });
    device.on('GTK', { ok: { PP_ENCPAN: Buffer.alloc(8, 3), PP_ENCPANKSN: KSN } });
    device.on('GOX', { ok: ONLINE });
    const outcome = await driver.start(REQUEST, progress);
    expect(outcome).toMatchObject({
      card: { sred: { data: Buffer.alloc(8, 3) }, facts: { expiry: '3112' } },
    });
    expect(device.lastOf('GTK').fields.text('SPE_TRACKS')).toBe('1000');
  });

  it.each([
    ['GCX', 'ST_CANCEL', { kind: 'cancelled', by: 'cardholder' }],
    ['GCX', 'ST_TIMEOUT', { kind: 'cancelled', by: 'timeout' }],
    ['GCX', 'ST_CARDAPPNAV', { kind: 'failed', failure: 'application-not-supported' }],
    ['GCX', 'ST_CARDPROBLEMS', { kind: 'failed', failure: 'card-error' }],
    ['GCX', 'ST_INTERR', { kind: 'failed', failure: 'internal' }],
    ['GTK', 'ST_ERRKEY', { kind: 'failed', failure: 'key-missing' }],
    ['GOX', 'ST_ERRKEY', { kind: 'failed', failure: 'key-missing' }],
    ['GOX', 'ST_CANCEL', { kind: 'cancelled', by: 'cardholder' }],
    ['GOX', 'ST_NOCARD', { kind: 'failed', failure: 'card-removed' }],
    ['GOX', 'ST_PINBUSY', { kind: 'failed', failure: 'terminal-busy' }],
    ['GOX', 'ST_RSPOVRFL', { kind: 'failed', failure: 'data-too-long' }],
  ] as const)('%s answering %s is an outcome', async (id, status, expected) => {
    if (id !== 'GCX') device.on('GCX', { ok: CHIP });
    if (id === 'GOX') device.on('GTK', GTK);
    device.on(id, { status });
    expect(await driver.start(REQUEST, progress)).toMatchObject(expected);
    expect(driver.state).toBe('ready');
  });

  it('sells nothing without a data key or an amount it can write', async () => {
    expect(
      await driver.start({ ...REQUEST, amount: { minor: 10 ** 12, currency: 'EUR' } }, progress),
    ).toMatchObject({ kind: 'failed', failure: 'internal' });
    expect(await driver.start({ ...REQUEST, amount: { minor: 1, currency: 'QQQ' } }, progress)).toMatchObject(
      {
        kind: 'failed',
      },
    );
    expect(
      await driver.start({ ...REQUEST, risk: { ...REQUEST.risk, floorLimitMinor: -1 } }, progress),
    ).toMatchObject({ kind: 'failed' });
    device.keys = [true, false];
    await device.unplug();
    await clock.advance(1_000);
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'key-missing' });
  });
});

describe('taps and swipes', () => {
  beforeEach(async () => {
    await open();
    await clock.advance(0);
    device.seen.length = 0;
  });

  const TAP: FieldValues = { ...CHIP, PP_CARDTYPE: '06', PP_DEVTYPE: '00' };

  it('tries a tap once more, then asks to insert or swipe', async () => {
    device.on('GCX', { status: 'ST_CTLSCOMMERR' }, { status: 'ST_CTLSCOMMERR' }, { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    expect(await driver.start(REQUEST, progress)).toMatchObject({ card: { facts: { entryMode: 'ICC' } } });
    const options = device.seen
      .filter(({ id }) => id === 'GCX')
      .map(({ fields }) => fields.text('SPE_GCXOPT'));
    expect(options).toEqual(['10000', '10000', '00000']);
  });

  it.each([
    'ST_CTLSPROBLEMS',
    'ST_CTLSAPPNAV',
    'ST_CTLSAPPNAUT',
    'ST_CTLSIFCHG',
    'ST_CTLSINVALIDAT',
    'ST_CARDBLOCKED',
  ] as const)('asks for another interface after %s', async (status) => {
    device.on('GCX', { status }, { status: 'ST_TIMEOUT' });
    expect(await driver.start(REQUEST, progress)).toEqual({ kind: 'cancelled', by: 'timeout' });
    expect(device.lastOf('GCX').fields.text('SPE_GCXOPT')).toBe('00000');
  });

  it('waits for the phone and takes the next tap', async () => {
    device.on('GCX', { status: 'ST_CTLSEXTCVM' }, { ok: TAP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: { ...ONLINE, PP_GOXRES: '200100' } });
    expect(await driver.start(REQUEST, progress)).toMatchObject({
      kind: 'online-required',
      card: { facts: { entryMode: 'NFC_ICC' } },
    });
    expect(device.lastOf('GCX').fields.text('SPE_DSPMSG')).toContain('PHONE');
  });

  it('does not ask for ever', async () => {
    device.on('GCX', ...Array.from({ length: 20 }, () => ({ status: 'ST_CTLSMULTIPLE' as const })));
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'card-error' });
    expect(device.ids.filter((id) => id === 'GCX')).toHaveLength(8);
  });

  it('reads a stripe without a chip, PIN by its service code, before GTK', async () => {
    device.on('GCX', { ok: { ...SWIPE, PP_TRK2INC: '420000******0075=3112120' } });
    device.on('GPN', {
      block: encodeClassicResponse('GPN', { GPN_PINBLK: '0102030405060708', GPN_KSN: KSN.toString('hex') }),
    });
    device.on('GTK', GTK);
    const outcome = await driver.start(REQUEST, progress);
    expect(outcome).toMatchObject({
      kind: 'online-required',
      card: {
        facts: { entryMode: 'MAGSTRIPE', bin: '420000', last4Digits: '0075', expiry: '3112' },
        iccData: Buffer.alloc(0),
        pin: { data: Buffer.from('0102030405060708', 'hex'), ksn: KSN },
      },
    });
    expect(device.ids).toEqual(['OPN', 'GCX', 'GPN', 'GTK']);
    const end = await driver.complete(
      { kind: 'declined', responseCode: '05', issuerData: Buffer.alloc(0) },
      progress,
    );
    expect(end).toEqual({ kind: 'declined', iccData: Buffer.alloc(0) });
    expect(device.ids).not.toContain('FCX');
  });

  it('wants the chip of a card that has one, and takes its stripe after the chip failed', async () => {
    const chipStripe: FieldValues = { ...SWIPE, PP_TRK2INC: '420000******0083=3112201' };
    device.on(
      'GCX',
      { ok: chipStripe },
      { status: 'ST_DUMBCARD' },
      { ok: { ...chipStripe, PP_ICCSTAT: '1' } },
    );
    device.on('GTK', GTK);
    const outcome = await driver.start(REQUEST, progress);
    expect(outcome).toMatchObject({ card: { facts: { entryMode: 'MAGSTRIPE_AS_FALLBACK' } } });
    expect(device.ids).toEqual(['OPN', 'GCX', 'GCX', 'RMC', 'GCX', 'GTK']);
  });

  it('falls back also when the chip fails at its first cryptogram, once', async () => {
    device.on('GCX', { ok: CHIP }, { ok: CHIP });
    device.on('GTK', GTK, GTK);
    device.on('GOX', { status: 'ST_ERRFALLBACK' }, { status: 'ST_ERRFALLBACK' });
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'card-error' });
    expect(device.ids).toEqual(['OPN', 'GCX', 'GTK', 'GOX', 'RMC', 'GCX', 'GTK', 'GOX']);
  });

  it('allows no fallback when the configuration does not', async () => {
    await driver.close();
    device = new ScriptedDevice();
    device.tableVersion = tableVersion(CONFIG.tables);
    await open({ ...CONFIG, magstripeFallback: false });
    device.on('GCX', { status: 'ST_DUMBCARD' });
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'card-error' });
  });

  it('asks to swipe again when no track could be read', async () => {
    device.on('GCX', { ok: { PP_CARDTYPE: '00', PP_ICCSTAT: '0' } }, { ok: SWIPE });
    device.on('GTK', GTK);
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'online-required' });
  });

  it('takes a tap that plays a stripe', async () => {
    device.on('GCX', { ok: { ...SWIPE, PP_CARDTYPE: '05', PP_AIDTABINFO: '010101', PP_LABEL: 'VISA' } });
    device.on('GTK', GTK);
    expect(await driver.start(REQUEST, progress)).toMatchObject({
      card: { facts: { entryMode: 'NFC_MAGSTRIPE' } },
    });
  });
});

describe('cancelling and faults', () => {
  beforeEach(async () => {
    await open();
    await clock.advance(0);
    device.seen.length = 0;
  });

  it('ends as cancelled by the till, and is ready for the next sale', async () => {
    device.on('GCX', 'hang');
    const sale = driver.start(REQUEST, progress);
    await device.arrives('GCX');
    await settle();
    await driver.cancel();
    expect(await sale).toEqual({ kind: 'cancelled', by: 'till' });
    expect(driver.state).toBe('ready');
    await device.say({ id: 'GCX', status: 0, blocks: [] });
    device.on('GCX', { status: 'ST_TIMEOUT' });
    expect(await driver.start(REQUEST, progress)).toEqual({ kind: 'cancelled', by: 'timeout' });
  });

  it('cancels nothing while idle, and never the card at its second cryptogram', async () => {
    const cancels = device.cancels;
    await driver.cancel();
    expect(device.cancels).toBe(cancels);
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    await driver.start(REQUEST, progress);
    device.on('FCX', 'hang');
    const end = driver.complete({ kind: 'unable-to-go-online' }, progress);
    await device.arrives('FCX');
    await driver.cancel();
    expect(device.cancels).toBe(cancels);
    await device.say({ id: 'FCX', status: 0, blocks: [Buffer.from('80580003303030', 'hex')] });
    expect(await end).toMatchObject({ kind: 'approved' });
  });

  it('runs one command at a time', async () => {
    device.on('GCX', 'hang');
    const sale = driver.start(REQUEST, progress);
    await device.arrives('GCX');
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'terminal-busy' });
    await settle();
    await driver.cancel();
    await sale;
  });

  it.each(['GCX', 'GTK', 'GOX'] as const)(
    'says terminal-gone when the port goes during %s, and comes back',
    async (id) => {
      if (id !== 'GCX') device.on('GCX', { ok: CHIP });
      if (id === 'GOX') device.on('GTK', GTK);
      device.on(id, 'hang');
      const sale = driver.start(REQUEST, progress);
      await device.arrives(id);
      plugged = false;
      await device.unplug();
      expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
      expect(driver.state).toBe('disconnected');
      plugged = true;
      await clock.advance(10_000);
      expect(driver.state).toBe('ready');
    },
  );

  it('does not complete a card of a former session', async () => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', GTK);
    device.on('GOX', { ok: ONLINE });
    await driver.start(REQUEST, progress);
    await device.unplug();
    await clock.advance(1_000);
    expect(driver.state).toBe('ready');
    const end = await driver.complete({ kind: 'unable-to-go-online' }, progress);
    expect(end).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(device.ids).not.toContain('FCX');
  });

  it('gives up a device that falls silent, then frees it by CAN', async () => {
    device.on('GCX', { ok: CHIP });
    device.on('GTK', 'hang');
    const sale = driver.start(REQUEST, progress);
    await device.arrives('GTK');
    const { cancels } = device;
    await clock.advance(10_000);
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
    await clock.advance(1_000);
    expect(device.cancels).toBe(cancels + 1);
    expect(driver.state).toBe('ready');
  });

  it('resends a command that was not confirmed, and asks a damaged answer again', async () => {
    device.on('GCX', 'deaf', { ok: CHIP });
    device.on('GTK', { damagedOnce: GTK.ok });
    device.on('GOX', { ok: ONLINE });
    const sale = driver.start(REQUEST, progress);
    await device.arrives('GCX');
    await clock.advance(2_000);
    await clock.advance(500);
    expect(await sale).toMatchObject({ kind: 'online-required' });
    expect(device.ids).toEqual(['OPN', 'GCX', 'GCX', 'GTK', 'GOX']);
  });

  it('says protocol-error for an answer that cannot be read, and begins anew', async () => {
    device.on('GCX', { block: Buffer.from('not tlv') });
    expect(await driver.start(REQUEST, progress)).toMatchObject({
      kind: 'failed',
      failure: 'protocol-error',
    });
    await settle();
    expect(driver.state).toBe('ready');
  });

  it('looks for signs of life while idle, without CAN, and reconnects a dead device', async () => {
    const { cancels } = device;
    await clock.advance(3 * LIVENESS_INTERVAL_MS);
    expect(device.ids.filter((id) => id === 'GIX')).toHaveLength(3);
    expect(device.cancels).toBe(cancels);
    states.length = 0;
    device.on('GIX', 'deaf', 'deaf', 'deaf');
    await clock.advance(LIVENESS_INTERVAL_MS + 10_000);
    expect(states).toEqual(['connecting', 'ready']);
  });

  it('waits for a sign of life that runs before it starts', async () => {
    device.on('GIX', 'hang');
    const life = device.arrives('GIX');
    await clock.advance(LIVENESS_INTERVAL_MS);
    await life;
    device.on('GCX', { status: 'ST_TIMEOUT' });
    const sale = driver.start(REQUEST, progress);
    await settle();
    expect(device.ids.at(-1)).toBe('GIX');
    await device.say({ id: 'GIX', status: 0, blocks: [] });
    expect(await sale).toEqual({ kind: 'cancelled', by: 'timeout' });
  });

  it('ends everything when closed', async () => {
    device.on('GCX', 'hang');
    const sale = driver.start(REQUEST, progress);
    await device.arrives('GCX');
    await driver.close();
    expect(await sale).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
    expect(driver.state).toBe('disconnected');
    expect(clock.nextTimerInMs()).toBeUndefined();
    expect(await driver.start(REQUEST, progress)).toMatchObject({ kind: 'failed', failure: 'terminal-gone' });
  });
});

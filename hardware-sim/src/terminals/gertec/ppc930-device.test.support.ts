import { fromHex } from '@tillbridge/wire/bytes.js';
import { deriveInitialKey, deriveTransactionKey } from '@tillbridge/wire/crypto/dukpt/dukpt-tdes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { decodeTlv, findTlv } from '@tillbridge/wire/emv/tlv.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { encodeClassicRequest } from '@tillbridge/wire/terminals/abecs/classic.js';
import { FieldReader, type FieldValues, fields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import {
  ACK,
  EOT,
  encodePacket,
  INITIAL_FRAME_STATE,
  NAK,
  parseFrames,
} from '@tillbridge/wire/terminals/abecs/framing.js';
import {
  decodeResponseMessage,
  encodeCommandMessage,
  type ResponseMessage,
} from '@tillbridge/wire/terminals/abecs/message.js';
import { decodeParameters, encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import { encodeRiskParameters } from '@tillbridge/wire/terminals/abecs/risk-parameters.js';
import {
  type AidFields,
  packTableRecords,
  type TableRecord,
} from '@tillbridge/wire/terminals/abecs/tables.js';
import type { PresentMode } from '../../cards/catalogue.js';
import { DeviceHarness } from '../core/device-harness.test.support.js';
import type { DukptState } from '../core/dukpt-device.js';
import type { DeviceForm } from '../core/simulated-device.js';
import { Ppc930 } from './ppc930.js';

/** Initial serial number of the PIN key. */
export const PIN_KSN = fromHex('FFFF987600000000E000').fill(0, 7);
const DATA_KSN = fromHex('FFFF987700000000E000').fill(0, 7);
/** Slot of both keys, as SPE_KEYIDX. */
export const KEY_INDEX = '01';
const ICC_TAGS = '829F369F269F279F109F37959A9C9F029F035F2A9F1A9F345F349F24';

const AID: AidFields = {
  T1_AIDLEN: '07',
  T1_AID: 'A0000000031010',
  T1_APPTYPE: '01',
  T1_DEFLABEL: 'VISA',
  T1_ICCSTD: '03',
  T1_APPVER1: '0096',
  T1_APPVER2: '0002',
  T1_APPVER3: '0000',
  T1_TRMCNTRY: '276',
  T1_TRNCURR: '978',
  T1_TRNCRREXP: '2',
  T1_MERCHID: 'MERCHANT',
  T1_MCC: '5999',
  T1_TRMID: '00001001',
  T1_TRMCAPAB: 'E0F8C8',
  T1_ADDTRMCP: '6000F0A001',
  T1_TRMTYP: '22',
  T1_TACDEF: '5840000000',
  T1_TACDEN: '0010000000',
  T1_TACONL: '584004F800',
  T1_FLRLIMIT: '00000000',
  T1_TCC: 'R',
  T1_CTLSZEROAM: '1',
  T1_CTLSMODE: '2',
  T1_CTLSTRNLIM: '000F4240',
  T1_CTLSFLRLIM: '00000000',
  T1_CTLSCVMLIM: '00001388',
  T1_CTLSAPPVER: '0000',
  T1_RUF1: '0',
  T1_TDOLDEF: '9F0206',
  T1_DDOLDEF: '9F3704',
  T1_ARCOFFLN: 'Y1Z1Y3Z3',
  T1_CTLSTACDEF: '0000000000',
  T1_CTLSTACDEN: '0000000000',
  T1_CTLSTACONL: '0000000000',
  T1_CTLSTRMCP: 'E0F8C8',
  T1_MOBCVM: '0',
  T1_CTLSADDTC: '6000F0A001',
  T1_CTLSMBTLIM: '000F4240',
  T1_CTLSISSSCR: '0',
};
/** Tables of acquirer 01: Visa with taps, Mastercard, Maestro. */
export const RECORDS: TableRecord[] = ['A0000000031010', 'A0000000041010', 'A0000000043060'].map(
  (aid, at) => ({
    table: 'aid',
    acquirer: '01',
    index: String(at + 1).padStart(2, '0'),
    fields: { ...AID, T1_AID: aid, T1_CTLSMODE: at === 0 ? '2' : '0' },
  }),
);

/** The host's end of the line: collects everything that the device sends. */
export class Host {
  readonly controls: number[] = [];
  readonly messages: ResponseMessage[] = [];
  /** Gives the message in packet data. */
  open: (data: Buffer) => Buffer = (data) => data;
  readonly #pipe: BytePipe;
  #frames = INITIAL_FRAME_STATE;
  #waiters: (() => void)[] = [];

  constructor(pipe: BytePipe) {
    this.#pipe = pipe;
    pipe.onData((bytes) => {
      const { state, events } = parseFrames(this.#frames, bytes);
      this.#frames = state;
      for (const event of events) {
        if (event.kind === 'packet') this.messages.push(decodeResponseMessage(this.open(event.data)));
        else if (event.kind === 'ack') this.controls.push(ACK);
        else if (event.kind === 'nak') this.controls.push(NAK);
        else if (event.kind === 'eot') this.controls.push(EOT);
      }
      for (const wake of this.#waiters.splice(0)) wake();
    });
  }

  raw(bytes: Uint8Array): Promise<void> {
    return this.#pipe.write(bytes);
  }

  async send(id: string, blocks: readonly Uint8Array[] = []): Promise<void> {
    await this.raw(encodePacket(encodeCommandMessage({ id, blocks })));
  }

  /** The next message that is no notification. */
  async answer(): Promise<ResponseMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message && message.id !== 'NTM') return message;
      if (!message) await this.#next();
    }
  }

  async notification(): Promise<ResponseMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message?.id === 'NTM') return message;
      if (!message) await this.#next();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  async call(id: string, blocks: readonly Uint8Array[] = []): Promise<ResponseMessage> {
    await this.send(id, blocks);
    return this.answer();
  }

  async abecs(id: string, values: FieldValues): Promise<{ status: number; fields: FieldReader }> {
    const { status, blocks } = await this.call(id, encodeParameters(fields(values)));
    return { status, fields: new FieldReader(decodeParameters(blocks)) };
  }
}

/** A request for a card: EUR 12.34, taps allowed. */
export const GCX: FieldValues = {
  SPE_AMOUNT: '000000001234',
  SPE_TRNDATE: '261120',
  SPE_TRNTIME: '120000',
  SPE_GCXOPT: '10000',
  SPE_PANMASK: '0604',
  SPE_TIMEOUT: 30,
};
/** The request that follows: no offline approval below any floor limit. */
export const GOX: FieldValues = {
  SPE_ACQREF: '01',
  SPE_AMOUNT: '000000001234',
  SPE_MTHDPIN: '3',
  SPE_KEYIDX: KEY_INDEX,
  SPE_TRMPAR: encodeRiskParameters({
    floorLimitMinor: 0,
    targetPercent: 0,
    thresholdMinor: 0,
    maxTargetPercent: 0,
  }),
  SPE_TAGLIST: fromHex(ICC_TAGS),
};

/** Objects of PP_EMVDATA by tag. */
export function objectsOf(reader: FieldReader) {
  const nodes = decodeTlv(reader.bytes('PP_EMVDATA') ?? Buffer.alloc(0));
  return (tag: string) => findTlv(nodes, tag);
}

/** The key of one transaction, as the gateway derives it. */
export function dukptKey(bdk: 'bdkPin' | 'bdkData', ksn: Uint8Array) {
  return deriveTransactionKey(deriveInitialKey(developmentKey(bdk), ksn), ksn);
}

/** A new device, switched on and connected, with everything around it in memory; no tables are loaded. */
export function ppcHarness(form: DeviceForm = 'published') {
  const harness = new DeviceHarness(
    Ppc930,
    {
      id: '1001',
      form,
      serial: 'G0001001',
      random: { bytes: (length) => new Uint8Array(length).fill(0x42) },
      presentAheadMs: 30_000,
      ksnPin: PIN_KSN,
      ksnData: DATA_KSN,
      onFault: (error) => {
        throw error;
      },
    },
    Date.UTC(2026, 10, 20),
  );
  const { clock, box, device, host: hostPipe } = harness;
  const host = new Host(hostPipe);
  const give = (name: string, how: PresentMode) => harness.give(name, how);
  const loadTables = async (): Promise<void> => {
    const version = { TLI_ACQIDX: '00', TLI_TABVER: 'TEST000001' };
    await host.call('TLI', [encodeClassicRequest('TLI', version)]);
    for (const block of packTableRecords(RECORDS)) await host.call('TLR', [block]);
    const { status } = await host.call('TLE');
    if (status !== 0) throw new Error(`TLE answered ${status}`);
  };
  return {
    clock,
    box,
    device,
    host,
    hostPipe,
    pinSlot: harness.slot<DukptState>('pin-key'),
    give,
    loadTables,
    /** The frames on its line as they are shown. */
    shown: () => harness.passed,
  };
}

/** What {@link ppcHarness} gives. */
export type PpcHarness = ReturnType<typeof ppcHarness>;

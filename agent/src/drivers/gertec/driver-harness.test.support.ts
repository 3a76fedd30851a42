import { encodeTlv, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { settle, VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import type { FieldValues } from '@tillbridge/wire/terminals/abecs/field-values.js';
import type { LineProbe, LineSettings } from '../../ports/line-probe.js';
import { supervisePort } from '../../ports/port-supervisor.js';
import type { DriverProgress, DriverState, StartRequest, TerminalDriver } from '../core/driver.js';
import { openSessionDriver } from '../core/session-driver.js';
import { TEST_PLACE } from '../core/test-driver.test.support.js';
import type { AbecsConfig } from './config.js';
import { developmentConfig } from './default-tables.js';
import { tableVersion } from './device.js';
import { ScriptedDevice } from './scripted-device.test.support.js';
import { openWith } from './session.js';

export const CONFIG: AbecsConfig = developmentConfig(TEST_PLACE);
export const REQUEST: StartRequest = {
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
export const KSN = Buffer.from('FFFF9876543210E00001', 'hex');
export const TRACK2 = Buffer.alloc(24, 0xa5);
export const CHIP: FieldValues = {
  PP_CARDTYPE: '03',
  PP_AIDTABINFO: '010101',
  PP_PAN: '420000******0000',
  PP_PANSEQNO: '01',
  PP_TRK2INC: '420000******0000=3112201',
  PP_LABEL: 'VISA CREDIT',
  PP_CARDEXP: '311231',
  PP_EMVDATA: encodeTlv([tlv('84', Buffer.from('A0000000031010', 'hex')), tlv('9F24', Buffer.from('TLBR0'))]),
};
export const SWIPE: FieldValues = {
  PP_CARDTYPE: '00',
  PP_ICCSTAT: '0',
  PP_TRK2INC: '420000******0075=3112101',
};
export const GTK = { ok: { PP_TRACK2: TRACK2, PP_TRK2KSN: KSN } };
export const ARQC_DATA = encodeTlv([tlv('9F26', Buffer.alloc(8, 1)), tlv('9F27', Uint8Array.of(0x80))]);
export const TC_DATA = encodeTlv([tlv('9F26', Buffer.alloc(8, 2)), tlv('9F27', Uint8Array.of(0x40))]);
export const ONLINE: FieldValues = { PP_GOXRES: '200000', PP_EMVDATA: ARQC_DATA };

/** A driver on a line in memory, a scripted device at the other end. */
export class DriverHarness {
  readonly clock = new VirtualClock();
  readonly device = new ScriptedDevice();
  /** What the driver has become, in order. */
  readonly states: DriverState[] = [];
  /** Steps of the sales that were started with {@link progress}. */
  readonly steps: DriverProgress[] = [];
  /** False: the port is not there. */
  plugged = true;
  /** Why the device may not sell. */
  refusal: string | undefined;
  /** Finds out how the line is set; the device receives with the settings {@link deviceLine} alone. */
  probe: LineProbe | undefined;
  deviceLine: LineSettings | undefined;
  #driver: TerminalDriver | undefined;

  constructor() {
    this.device.tableVersion = tableVersion(CONFIG.tables);
  }

  get driver(): TerminalDriver {
    if (!this.#driver) throw new Error('no driver was opened');
    return this.#driver;
  }

  async open(config: AbecsConfig = CONFIG): Promise<void> {
    const port = supervisePort({
      clock: this.clock,
      open: async (): Promise<BytePipe> => {
        if (!this.plugged) throw new Error('port does not exist');
        const line = this.probe?.opening();
        const [host, end] = memoryPipe();
        const fits = line?.baudRate === this.deviceLine?.baudRate && line?.parity === this.deviceLine?.parity;
        if (fits) this.device.plug(end);
        return host;
      },
    });
    const log = { info: () => {}, warn: () => {} };
    this.#driver = openSessionDriver({
      port,
      clock: this.clock,
      log,
      openLine: openWith(config, this.clock),
      refuse: ({ serial }) => this.refusal && `${serial}: ${this.refusal}`,
      ...(this.probe && { probe: this.probe }),
    });
    this.driver.onState((state) => this.states.push(state));
    await settle();
    await settle();
  }

  readonly progress = (step: DriverProgress): void => {
    this.steps.push(step);
  };

  async close(): Promise<void> {
    await this.#driver?.close();
  }
}

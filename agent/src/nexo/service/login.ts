import { type CommandOutsideSale, commandsOutsideSale } from '../../drivers/device-types.js';
import type { TerminalView } from '../../sale/service/sale-service.js';
import { success } from '../messages/response.js';
import { poiStatus } from './diagnosis.js';
import type { Handler } from './ports.js';

/** What every terminal of this agent has. */
const EVERY = ['CustomerError', 'MagStripe', 'ICC', 'EMVContactless'] as const;
/** What some have, by their commands outside a sale. */
const OF_SOME = {
  text: 'CustomerDisplay',
  confirm: 'CustomerInput',
  print: 'PrinterReceipt',
} as const satisfies Partial<Record<CommandOutsideSale, string>>;

/** A till begins its work. */
export const login: Handler = async ({ header }, { sessions, terminals, clock, version }) => {
  const terminal = terminals.of(header.POIID);
  sessions.login(header.SaleID);
  return {
    Response: success(),
    POISystemData: {
      DateTime: new Date(clock.nowMs()).toISOString(),
      POISoftware: {
        ManufacturerID: 'tillbridge',
        ApplicationName: 'tillbridge-agent',
        SoftwareVersion: version,
        CertificationCode: 'none',
      },
      POITerminalData: {
        TerminalEnvironment: 'Attended',
        POICapabilities: capabilitiesOf(terminal),
        POISerialNumber: serialOf(terminal),
      },
      POIStatus: poiStatus(terminal),
    },
  };
};

/** A till ends its work. */
export const logout: Handler = async ({ header }, { sessions }) => {
  sessions.logout(header.SaleID);
  return { Response: success() };
};

function capabilitiesOf({ deviceType }: TerminalView): readonly string[] {
  const has = commandsOutsideSale(deviceType);
  return [
    ...EVERY,
    ...Object.entries(OF_SOME).flatMap(([what, name]) => (has.some((each) => each === what) ? [name] : [])),
  ];
}

function serialOf({ identity, id }: TerminalView): string {
  return identity?.serial ?? id;
}

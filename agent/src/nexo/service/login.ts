import { success } from '@tillbridge/protocol/nexo/response.js';
import type { TerminalView } from '../../sale/service/sale-service.js';
import { poiStatus } from './diagnosis.js';
import type { Handler } from './ports.js';

/** What every terminal of this agent has. */
const CAPABILITIES = ['CustomerDisplay', 'CustomerError', 'MagStripe', 'ICC', 'EMVContactless'];

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
        POICapabilities: CAPABILITIES,
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

function serialOf({ identity, id }: TerminalView): string {
  return identity?.serial ?? id;
}

import type { ConditionView, TerminalView } from '../../sale/service/sale-service.js';
import { success } from '../messages/response.js';
import type { Handler } from './ports.js';

const ACQUIRER_ID = 'tillbridge-gateway';

/** How the terminal stands, and where it is asked for, whether the gateway is reached. */
export const diagnosis: Handler = async ({ header, body }, { sales, sessions, terminals }) => {
  const terminal = terminals.of(body.textIfThere('POIID') ?? header.POIID);
  const condition = await sales.condition(terminal.id);
  const asksHost = body.flag('HostDiagnosisFlag');
  const isReachable = sales.status().gateway.state === 'up';
  return {
    Response: success(),
    LoggedSaleID: sessions.logged(),
    POIStatus: poiStatus(terminal, condition),
    ...(asksHost && { HostStatus: [{ AcquirerID: ACQUIRER_ID, IsReachableFlag: isReachable }] }),
  };
};

/** A terminal as a till sees it; what it says of itself, where it was asked. */
export function poiStatus(
  { state, runningReference }: TerminalView,
  condition?: ConditionView,
): Readonly<Record<string, unknown>> {
  const isThere = state === 'ready' || state === 'busy';
  const isBusy = state === 'busy' || runningReference !== undefined;
  const said = condition?.kind === 'condition' ? condition : undefined;
  const { data = 'unknown' } = said?.keys ?? {};
  return {
    GlobalStatus: !isThere ? 'Unreachable' : isBusy ? 'Busy' : 'OK',
    CommunicationOKFlag: isThere,
    CardReaderOKFlag: isThere && data !== 'missing' && data !== 'exhausted',
    PEDOKFlag: isThere && said?.keys.pin !== 'missing' && said?.keys.pin !== 'exhausted',
    SecurityOKFlag: said?.tampered !== true,
  };
}

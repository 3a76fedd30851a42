import type { ConditionView, TerminalView } from '../../sale/service/sale-service.js';
import { success } from '../messages/response.js';
import type { Handler } from './ports.js';

const ACQUIRER_ID = 'tillbridge-gateway';

/** State of the terminal and, on request, whether the gateway is reached. */
export const diagnosis: Handler = async ({ header, body }, { sales, sessions, terminals }) => {
  const terminal = terminals.of(body.textIfThere('POIID') ?? header.POIID);
  const condition = await sales.condition(terminal.id);
  const wantsHost = body.flag('HostDiagnosisFlag');
  const isReachable = sales.status().gateway.state === 'up';
  return {
    Response: success(),
    LoggedSaleID: sessions.logged(),
    POIStatus: poiStatus(terminal, condition),
    ...(wantsHost && { HostStatus: [{ AcquirerID: ACQUIRER_ID, IsReachableFlag: isReachable }] }),
  };
};

/** A terminal as a till sees it; with `condition`, its own report. */
export function poiStatus(
  { state, runningReference }: TerminalView,
  condition?: ConditionView,
): Readonly<Record<string, unknown>> {
  const isThere = state === 'ready' || state === 'busy';
  const isBusy = state === 'busy' || runningReference !== undefined;
  const reported = condition?.kind === 'condition' ? condition : undefined;
  const { data = 'unknown' } = reported?.keys ?? {};
  return {
    GlobalStatus: !isThere ? 'Unreachable' : isBusy ? 'Busy' : 'OK',
    CommunicationOKFlag: isThere,
    CardReaderOKFlag: isThere && data !== 'missing' && data !== 'exhausted',
    PEDOKFlag: isThere && reported?.keys.pin !== 'missing' && reported?.keys.pin !== 'exhausted',
    SecurityOKFlag: reported?.tampered !== true,
  };
}

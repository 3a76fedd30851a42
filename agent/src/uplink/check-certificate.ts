import type { GatewayPins } from '@tillbridge/wire/bridge/messages.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { certificateFault, connectionFault, faultText } from './connection-fault.js';
import { EnrolmentError } from './enrol.js';
import { requestGateway } from './gateway-answer.js';
import { tlsOptions } from './tls-trust.js';

/** The gateway answers the same code and key once more. */
const AGAIN = 'Then run the same command again within ten minutes: the code still counts for this home.';

/**
 * Checks that the gateway answers, and that its certificate would be accepted with a pin set.
 * @param when before an enrolment a private authority is not known yet, and no fault
 * @throws EnrolmentError `unreachable` or `certificate`, with the remedy
 */
export async function checkCertificate(
  bridgeUrl: string,
  pins: GatewayPins,
  when: 'before enrolment' | 'after enrolment',
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  const answer = await requestGateway(bridgeUrl, tlsOptions(pins));
  if (answer.kind === 'unreachable') {
    const fault = connectionFault(answer.detail, bridgeUrl);
    throw new EnrolmentError('unreachable', fault ? faultText(fault) : answer.detail);
  }
  if (answer.certificateFault === undefined) return;
  const fault = certificateFault(answer.certificateFault, answer.certificate, bridgeUrl, clock.nowMs());
  if (when === 'after enrolment') throw new EnrolmentError('certificate', `${faultText(fault)} ${AGAIN}`);
  if (!fault.isUnknownAuthority) throw new EnrolmentError('certificate', faultText(fault));
}

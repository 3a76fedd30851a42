import { Counter, type Registry } from 'prom-client';
import type { LinkObserver } from '../iso8583/link/link-deps.js';

/** Counts and logs what links meet: by the acquirer's name, and without a value of a message. */
export function linkMetrics(
  registry: Registry,
  log: { warn(about: object, text: string): void },
): (acquirer: string) => LinkObserver {
  const counter = (name: string, help: string) =>
    new Counter({
      name: `tillbridge_acquirer_link_${name}_total`,
      help,
      labelNames: ['acquirer'],
      registers: [registry],
    });
  const bad = counter('bad_messages', 'Bytes that are no message of a host, wrong codes, answers to nothing');
  const late = counter('late_approvals', 'Approvals that came after their reversal, and were reversed again');
  const faults = counter('faults', 'Faults of a link itself');
  const leftOut = counter('details_left_out', 'Requests whose details did not fit into their message');
  const notWritten = counter('not_written', 'Requests that do not fit into a message, and were not sent');
  const withoutCard = counter('without_card', 'Follow-ups without a card, which the vault has no more');
  return (acquirer) => ({
    bad(reason) {
      bad.inc({ acquirer });
      log.warn({ acquirer, reason }, 'no message of the acquirer’s host');
    },
    lateApproval(reference) {
      late.inc({ acquirer });
      log.warn({ acquirer, reference }, 'an approval came after its reversal');
    },
    detailsLeftOut(reference, count) {
      leftOut.inc({ acquirer });
      log.warn({ acquirer, reference, count }, 'parameters do not fit into a message');
    },
    notWritten(reference, reason) {
      notWritten.inc({ acquirer });
      log.warn({ acquirer, reference, reason }, 'a request does not fit into a message');
    },
    withoutCard(reference) {
      withoutCard.inc({ acquirer });
      log.warn({ acquirer, reference }, 'a follow-up names no card: the vault has it no more');
    },
    fault(err) {
      faults.inc({ acquirer });
      log.warn({ acquirer, err }, 'fault of the link to an acquirer');
    },
  });
}

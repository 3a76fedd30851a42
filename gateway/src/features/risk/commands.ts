import { systemClock as clock } from '@tillbridge/protocol/platform/system-clock.js';
import type { Command } from 'commander';
import { operatorName } from '../../kernel/audit/operator-name.js';
import {
  addCommand,
  type ConfigOption,
  homeConfigOf,
  printJson,
  withHomeStore,
} from '../../kernel/commands/gateway-command.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { ReviewDecisionRow } from '../../kernel/store/rows.js';
import { decideReview, listReviews } from './service.js';

/** `reviews list | release | refuse`. */
export function addReviewCommands(reviews: Command): void {
  addCommand(
    reviews,
    'list',
    'List the payments that wait, those that end first at the front, then approvals that ask for a review.',
  ).action(async (options: ConfigOption) =>
    printJson(await withHomeStore(homeConfigOf(options), (store) => listReviews(store))),
  );
  for (const [name, decision, description] of [
    [
      'release',
      'released',
      'Let a payment go on to its issuer, or an approval stand. A running gateway does so within a second.',
    ],
    ['refuse', 'refused', 'Refuse a payment, or give an approval back.'],
  ] as const)
    addCommand(reviews, `${name} <payment>`, description)
      .requiredOption('--note <text>', 'why')
      .action((paymentId: string, options: ConfigOption & { note: string }) =>
        decide(paymentId, decision, options),
      );
}

async function decide(
  paymentId: string,
  decision: ReviewDecisionRow['decision'],
  { note, ...options }: ConfigOption & { note: string },
): Promise<void> {
  const word = { paymentId, decision, actor: operatorName(), note };
  const counted = await withHomeStore(homeConfigOf(options), (store) => decideReview({ store, clock }, word));
  if (!counted) throw new OperatorError(`payment ${paymentId} needs no review: "reviews list" shows those`);
  if (counted.decision !== decision)
    throw new OperatorError(`payment ${paymentId} was ${counted.decision} before, by ${counted.actor}`);
  printJson(counted);
}

import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import type { Command } from 'commander';
import type { EntityDeps } from '../../core/entities/entities.js';
import { operatorName } from '../../kernel/audit/operator-name.js';
import { addCommand, type ConfigOption, printFrom, withHomeStore } from '../../kernel/commands/command.js';
import type { CommandGroup } from '../../kernel/commands/command-group.js';
import type { HomeConfig } from '../../kernel/configuration/home-config.js';
import { prepareHome } from '../../kernel/data-folder/home.js';
import { OperatorError } from '../../kernel/errors/operator-error.js';
import type { ReviewDecisionRow } from '../../kernel/store/rows.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { withSecurityModule } from '../../security/with-security-module.js';
import { riskRulesOfEntity, setRiskRules } from './entity-rules.js';
import { RiskRulesError, readRiskRules, withCards } from './rules/risk-rules.js';
import { decideReview, listReviews } from './service.js';

interface RulesOptions extends ConfigOption {
  readonly file?: string;
  readonly none?: true;
}

/** Largest file of rules, in bytes. */
const MAX_FILE_BYTES = 1_048_576;

const RISK_HELP = `
The risk rules of a merchant or channel; a channel without rules has those of its merchant. The page “Risk” explains each kind. A file:
  {"rules": [{"name": "fast", "kind": "velocity", "by": "card", "count": 3, "minutes": 60, "points": 100},
             {"name": "blocked", "kind": "list", "of": "ip", "values": ["192.0.2.1"], "action": "refuse"}],
   "reviewFrom": 50, "refuseFrom": 100}
Card numbers in lists are stored as keyed fingerprints.`;

/** Commands of the feature. */
export const RISK_COMMANDS: readonly CommandGroup[] = [
  {
    name: 'reviews',
    description: 'Payments that a person has to look at, because of their risk: list, release, refuse.',
    add: addReviewCommands,
  },
  { name: 'entity', add: addRiskCommand },
];

/** `reviews list | release | refuse`. */
function addReviewCommands(reviews: Command): void {
  addCommand(
    reviews,
    'list',
    'List the payments that wait, those that end first at the front, then approvals that ask for a review.',
  ).action(async (options: ConfigOption) => printFrom(options, ({ store }) => listReviews(store)));
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
  const counted = await withHomeStore(options.readConfig(), (store) => decideReview({ store, clock }, word));
  if (!counted) throw new OperatorError(`payment ${paymentId} needs no review: "reviews list" shows those`);
  if (counted.decision !== decision)
    throw new OperatorError(`payment ${paymentId} was ${counted.decision} before, by ${counted.actor}`);
  printJson(counted);
}

/** `entity risk`. */
function addRiskCommand(entity: Command): void {
  addCommand(entity, 'risk <entity>', 'Print the risk rules of a merchant or channel, or set them.')
    .option('--file <file>', 'replace the rules by those of this JSON file')
    .option('--none', 'remove the rules')
    .addHelpText('after', RISK_HELP)
    .action(riskRules);
}

async function riskRules(id: string, { file, none, ...options }: RulesOptions): Promise<void> {
  const config = options.readConfig();
  prepareHome(config.home);
  await withHomeStore(config, async (store) => {
    const deps = { store, clock, random };
    if (none) await setRiskRules(deps, id, undefined);
    if (file !== undefined)
      await setRiskRules(deps, id, withCards(rulesOf(file), await cardHash(config, deps)));
    printJson(await riskRulesOfEntity(store, id));
  });
}

/** Keyed hashes of card numbers, as payments have them. */
function cardHash(config: HomeConfig, deps: EntityDeps): Promise<(card: string) => string> {
  return withSecurityModule(config, async (module) => {
    const { fingerprintKey } = await openDataKeys(module, deps);
    const fingerprint = keyedFingerprint(fingerprintKey);
    return (card) => fingerprint('card', card);
  });
}

/** The rules of a file. @throws OperatorError naming the file and what is wrong in it */
function rulesOf(file: string) {
  try {
    const refuse = (reason: string) => new OperatorError(`${file} ${reason}`);
    return readRiskRules(readSmallFile(file, MAX_FILE_BYTES, refuse).toString());
  } catch (error) {
    if (error instanceof RiskRulesError) throw new OperatorError(`${file}: ${error.message}`);
    throw error;
  }
}

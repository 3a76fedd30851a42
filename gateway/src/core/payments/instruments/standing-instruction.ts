import type { StandingInstruction } from '../../acquirers/standing-instruction.js';

/** What the rules look at. */
export interface StandingFacts {
  readonly standing: StandingInstruction;
  /** Brand of the card; null where it is not known. */
  readonly brand: string | null;
  /** The payment names an earlier one of ours (`referenceUuid`). */
  readonly isLinked: boolean;
  /** yyyy-MM-dd, UTC. */
  readonly today: string;
}

/** A rule of the card networks on cards on file. */
interface StandingRule {
  readonly name: string;
  /** Result code of a breach. */
  readonly resultCode: string;
  /** The parameter that breaks it, without its prefix. */
  readonly parameter: keyof StandingInstruction;
  /** What the parameter must be. */
  readonly must: string;
  readonly isBroken: (facts: StandingFacts) => boolean;
}

/** Networks whose agreement id may stand for the transaction id (docs/card-on-file.md). */
const WITH_AGREEMENT_ID: readonly (string | null)[] = ['MASTER', 'MAESTRO'];

/** The set-up of a card on file contradicts itself. */
const WRONG_SET_UP = '600.200.501';
/** There is no first payment that this one could repeat. */
export const NO_INITIAL = '100.150.300';

/** The rules in the order of their answers. The first breach is the answer. */
export const STANDING_RULES: readonly StandingRule[] = [
  {
    name: 'the first payment of an agreement is the cardholder’s',
    resultCode: WRONG_SET_UP,
    parameter: 'source',
    must: 'be CIT where mode is INITIAL',
    isBroken: ({ standing }) => standing.mode === 'INITIAL' && standing.source === 'MIT',
  },
  {
    name: 'a merchant repeats, and begins nothing',
    resultCode: WRONG_SET_UP,
    parameter: 'mode',
    must: 'be REPEATED where source is MIT',
    isBroken: ({ standing: { source, mode, industryPractice } }) =>
      source === 'MIT' && mode === undefined && industryPractice === undefined,
  },
  {
    name: 'the first payment refers to none before it',
    resultCode: WRONG_SET_UP,
    parameter: 'initialTransactionId',
    must: 'not be sent where mode is INITIAL',
    isBroken: ({ standing }) => standing.mode === 'INITIAL' && standing.initialTransactionId !== undefined,
  },
  {
    name: 'industry practices are the merchant’s',
    resultCode: WRONG_SET_UP,
    parameter: 'industryPractice',
    must: 'come with source MIT',
    isBroken: ({ standing: { industryPractice, source, mode } }) =>
      industryPractice !== undefined && (source === 'CIT' || mode === 'INITIAL'),
  },
  needsType('standing orders and subscriptions are recurring', 'recurringType', 'RECURRING'),
  needsType('installments are counted in type INSTALLMENT alone', 'numberOfInstallments', 'INSTALLMENT'),
  {
    name: 'a merchant names the payment that the cardholder began with',
    resultCode: NO_INITIAL,
    parameter: 'initialTransactionId',
    must: 'be sent where source is MIT',
    isBroken: ({ standing, brand, isLinked }) =>
      standing.source === 'MIT' && !isLinked && referenceOf(standing, brand) === undefined,
  },
  {
    name: 'nothing is authorized after the agreement has ended',
    resultCode: WRONG_SET_UP,
    parameter: 'expiry',
    must: 'not be in the past',
    isBroken: ({ standing, today }) => standing.expiry !== undefined && standing.expiry < today,
  },
];

/** A parameter that comes with one type alone, where a type is named. */
function needsType(
  name: string,
  parameter: 'recurringType' | 'numberOfInstallments',
  type: NonNullable<StandingInstruction['type']>,
): StandingRule {
  const isBroken = ({ standing }: StandingFacts) =>
    standing[parameter] !== undefined && standing.type !== undefined && standing.type !== type;
  return { name, resultCode: WRONG_SET_UP, parameter, must: `come with type ${type}`, isBroken };
}

/** The first rule that a payment breaks; undefined when it keeps all. Pure. */
export function brokenStandingRule(facts: StandingFacts): StandingRule | undefined {
  return STANDING_RULES.find(({ isBroken }) => isBroken(facts));
}

/** What a repeated payment names its first one by: the transaction id, or the agreement id where the network takes that. */
export function referenceOf(
  { initialTransactionId, agreementId }: StandingInstruction,
  brand: string | null,
): string | undefined {
  return initialTransactionId ?? (WITH_AGREEMENT_ID.includes(brand) ? agreementId : undefined);
}

/** The id of the agreement that an approved first payment makes; undefined where the network has none. */
export function agreementIdOf(
  { agreementId }: StandingInstruction,
  brand: string | null,
  transactionId: string,
): string | undefined {
  return agreementId ?? (WITH_AGREEMENT_ID.includes(brand) ? transactionId : undefined);
}

/** Names field and rule for the merchant. */
export function standingDetail(parameter: keyof StandingInstruction, must: string): string {
  return `standingInstruction.${parameter}: must ${must}`;
}

import { present } from '@tillbridge/wire/present.js';
import type { RegistrationRow } from '../../../kernel/store/rows.js';
import type { StandingInstruction } from '../../acquirers/standing-instruction.js';

/** The agreement that the cardholder began with stored details; payments of the merchant with them repeat it (docs/card-on-file.md). */
export type HeldAgreement = Pick<
  StandingInstruction,
  'type' | 'expiry' | 'agreementId' | 'initialTransactionId'
>;

/** The agreement that a registration holds: what its answers show as `standingInstruction`; undefined without one. Pure. */
export function heldAgreement({ echo }: Pick<RegistrationRow, 'echo'>): HeldAgreement | undefined {
  const { standingInstruction } = JSON.parse(echo) as { readonly standingInstruction?: StandingInstruction };
  return standingInstruction?.mode === 'INITIAL' ? standingInstruction : undefined;
}

/**
 * The registration with an agreement. One of the same type stays, unless it lacks the network's id that the new one has: of many first payments
 * at once one changes the row. Pure.
 */
export function withAgreement(row: RegistrationRow, agreement: HeldAgreement): RegistrationRow {
  const held = heldAgreement(row);
  const isSame = held?.type === agreement.type;
  const isNews = held?.initialTransactionId === undefined && agreement.initialTransactionId !== undefined;
  if (held && isSame && !isNews) return row;
  const { type, expiry, agreementId, initialTransactionId } = agreement;
  const shown = present({ type, expiry, agreementId, initialTransactionId });
  const standingInstruction = { mode: 'INITIAL', source: 'CIT', ...shown };
  return { ...row, echo: JSON.stringify({ ...JSON.parse(row.echo), standingInstruction }) };
}

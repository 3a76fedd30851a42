import { column, shape, tables } from '@tillbridge/platform/sqlite/table.js';
import { stamp, version } from './columns.js';

/** Risk rules, what they count, and reviews. */
export const RISK_TABLES = tables({
  /** The risk rules of a merchant or channel; absent where the standard ones count. */
  riskRules: shape(
    {
      entityId: column.idOf('entities'),
      /** Object (`RiskRules`); card numbers as keyed fingerprints. */
      rules: column.json(),
      updatedAtMs: column.integer(),
      version,
    },
    { key: ['entityId'] },
  ),

  /** A payment that was tried with a card, e-mail or IP address, for rules that count them. */
  riskAttempts: shape(
    {
      /** Keyed fingerprint of merchant, kind and value, hex. */
      subject: column.text(),
      /** Sorts by time. */
      paymentId: column.text(),
      ...stamp,
    },
    { key: ['subject', 'paymentId'], indexes: { subject: ['subject'], age: ['createdAtMs'] } },
  ),

  /** An approval that needs a review, until a person has decided. */
  approvalReviews: shape(
    {
      paymentId: column.text(),
      entityId: column.idOf('entities'),
      /** Of the approval: what is to be looked at. */
      resultCode: column.text(),
      ...stamp,
    },
    { key: ['paymentId'], indexes: { owner: ['entityId', 'createdAtMs'], age: ['createdAtMs'] } },
  ),

  /** A person's decision on a payment that waits for a review, or on an approval that needs one. */
  reviewDecisions: shape(
    {
      paymentId: column.text(),
      entityId: column.idOf('entities'),
      decision: column.oneOf('released', 'refused'),
      /** `made`: the payment has yet to go on, to end or to be reversed. */
      state: column.oneOf('made', 'carried-out'),
      /** User of the operating system; over REST `token ` and the id of the access token. */
      actor: column.text(),
      note: column.text(),
      ...stamp,
    },
    { key: ['paymentId'], isWide: true, indexes: { state: ['state'] } },
  ),
});

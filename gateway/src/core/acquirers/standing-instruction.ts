/** A card on file (`standingInstruction.*`, docs/card-on-file.md). */
export interface StandingInstruction {
  readonly type?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING';
  readonly recurringType?: 'STANDING_ORDER' | 'SUBSCRIPTION';
  readonly mode?: 'INITIAL' | 'REPEATED';
  /** CIT: the cardholder initiates the payment; MIT: the merchant does. */
  readonly source?: 'CIT' | 'MIT';
  readonly industryPractice?:
    | 'INCREMENTAL_AUTH'
    | 'RESUBMISSION'
    | 'REAUTHORIZATION'
    | 'DELAYED_CHARGES'
    | 'NO_SHOW';
  readonly initialTransactionId?: string;
  readonly agreementId?: string;
  /** yyyy-MM-dd: no authorization after it. */
  readonly expiry?: string;
  readonly numberOfInstallments?: string;
}

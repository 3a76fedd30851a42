import { describeErrorTable } from '@tillbridge/protocol/errors/error-table.test.support.js';
import { ERROR_TABLE, RETIRED } from './error-table.js';

describeErrorTable({
  name: 'gateway',
  table: ERROR_TABLE,
  retired: RETIRED,
  inner: [
    'AcquirerRoutesError',
    'AcquirerUnreachableError',
    'ChangedExchangeError',
    'BinTableError',
    'CheckoutError',
    'CommitConflict',
    'HostDownError',
    'IpCountriesError',
    'KnownExchangeError',
    'NoSuchFileError',
    'NotSentError',
    'OutageError',
    'OutcomeUnknownError',
    'OutsidePolicyError',
    'OverloadedError',
    'ReplayError',
    'RiskRulesError',
    'RoutingRulesError',
    'RunTakenError',
    'StaleSessionError',
    'StorePolicyError',
    'TryLaterError',
    'UntranslatableError',
  ],
  url: import.meta.url,
});

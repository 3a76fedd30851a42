import { describeErrorTable } from '@tillbridge/wire/errors/error-table.test.support.js';
import { ERROR_TABLE, RETIRED } from './error-table.js';

describeErrorTable({
  name: 'hardware-sim',
  table: ERROR_TABLE,
  retired: RETIRED,
  inner: [
    'ApduError',
    'AuthenticationFailure',
    'CardCommunicationError',
    'CommandError',
    'KernelError',
    'KeyErased',
    'L3Error',
    'MagstripeUnreadable',
    'PinEntryEnded',
    'StatusError',
    'TerminalUiError',
    'TwoCardsInField',
    'WaitAborted',
  ],
  url: import.meta.url,
});

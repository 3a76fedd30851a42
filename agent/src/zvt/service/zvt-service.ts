import { currencyNumber } from '@tillbridge/wire/payment/currency-codes.js';
import { toBcd } from '../messages/bcd.js';
import { field } from '../messages/bitmaps.js';
import type { Command } from '../messages/commands.js';
import type { Outgoing } from '../messages/outgoing.js';
import { completion } from '../messages/reports.js';
import { RESULT } from '../messages/result-codes.js';
import {
  diagnosis,
  displayText,
  initialization,
  repeatReceipt,
  statusEnquiry,
  totals,
} from './administration.js';
import { codeOfError, failed, money, refuse, reversal } from './money.js';
import type { Begun, TillCall, ZvtPorts, ZvtTill } from './ports.js';
import { book, openReservation, release } from './reservations.js';

/** The requests that are answered here; the conversation itself answers the others. */
export type ServedCommand = Exclude<
  Command,
  { readonly kind: 'registration' | 'log-off' | 'abort' | 'unknown' }
>;

/** A till's words about itself. */
export type RegistrationCommand = Extract<Command, { readonly kind: 'registration' }>;

/** Answers what tills ask in ZVT, by the sale service. */
export class ZvtService {
  readonly #ports: ZvtPorts;

  constructor(ports: ZvtPorts) {
    this.#ports = ports;
  }

  /** Begins a request: journaled before it is accepted. Never rejects for what a till can send. */
  async begin(call: TillCall<ServedCommand>): Promise<Begun> {
    try {
      return await this.#begin(call);
    } catch (error) {
      const code = codeOfError(error);
      failed(this.#ports, error);
      return refuse(code ?? RESULT.systemError);
    }
  }

  /** Whether a registration names the currency of the store, or none. */
  sellsIn(currency: string | undefined): boolean {
    return currency === undefined || currency === currencyNumber(this.#ports.currency);
  }

  /** The message that ends a registration: the terminal, and the currency where the till named one. */
  registered({ currency }: RegistrationCommand, { terminalId }: ZvtTill): Outgoing {
    return completion(
      Buffer.concat([
        field(0x19, Buffer.of(0)),
        field(0x29, toBcd(Number(terminalId.slice(-8)), 4)),
        ...(currency === undefined ? [] : [field(0x49, toBcd(Number(currency), 2))]),
      ]),
    );
  }

  #begin(call: TillCall<ServedCommand>): Promise<Begun> {
    const { command } = call;
    switch (command.kind) {
      case 'authorization':
      case 'refund':
      case 'reservation':
        return money({ ...call, command }, this.#ports);
      case 'reversal':
        return reversal({ ...call, command }, this.#ports);
      case 'booking':
      case 'partial-reversal':
        return book({ ...call, command }, this.#ports);
      case 'reservation-reversal':
        return release({ ...call, command }, this.#ports);
      case 'open-reservation':
        return openReservation(call, this.#ports);
      case 'end-of-day':
      case 'turnover-totals':
        return totals(call, this.#ports);
      case 'repeat-receipt':
        return repeatReceipt({ ...call, command }, this.#ports);
      case 'initialization':
        return initialization(call, this.#ports);
      case 'diagnosis':
        return diagnosis(call, this.#ports);
      case 'status-enquiry':
        return statusEnquiry({ ...call, command }, this.#ports);
      case 'display-text':
        return displayText({ ...call, command }, this.#ports);
    }
  }
}

import { AMOUNT, COUNTRY, DATE, type Format, text } from './rows/format.js';
import { conditional, echoed, type Parameter, under } from './rows/parameter.js';

function all<const Name extends string>(format: Format, names: readonly Name[]): readonly Parameter<Name>[] {
  return names.map((name) => conditional(name, format, 'not-stated'));
}

const TEXT = text(1, 255);

/** Spec 2.6: airline.*, the ticket. */
export const AIRLINE_PARAMETERS = echoed(
  under('airline.', [
    ...all(AMOUNT, ['totalTaxAmount', 'totalFeesAmount', 'totalFareAmount']),
    ...all(DATE, ['ticketIssueDate']),
    ...all(TEXT, [
      'ticketIssueAddress',
      'thirdPartyBooking',
      'bookingtype',
      'ticketDeliveryMethod',
      'bookingRefNum',
      'agentName',
      'agentCode',
    ]),
  ]),
);

/** Spec 2.6: airline.passengers[n].*. */
export const AIRLINE_PASSENGER_PARAMETERS = echoed(
  under('airline.passengers[n].', [
    ...all(TEXT, [
      'type',
      'name',
      'ticketRestricted',
      'ticketNumber',
      'status',
      'phone',
      'frequentFlyerNumber',
      'email',
      'dob',
      'checkDigit',
    ]),
    ...all(COUNTRY, ['residenceCountry']),
  ]),
);

/** Spec 2.6: airline.passengers[n].legs[n].*. */
export const AIRLINE_LEG_PARAMETERS = echoed(
  under('airline.passengers[n].legs[n].', [
    ...all(TEXT, [
      'ticketNumber',
      'stopOverAllowed',
      'restrictions',
      'flightNumber',
      'fareBasis',
      'exchangeTicketNum',
      'departureCountry',
      'departureAirport',
      'airlineName',
      'airlineCode',
      'departureTime',
      'arrivalCountry',
      'arrivalAirport',
      'arrivalTime',
      'couponNumber',
      'classOfService',
      'carrierCode',
    ]),
    ...all(AMOUNT, ['taxAmount', 'feesAmount', 'fareAmount', 'departureTaxAmount']),
    ...all(DATE, ['departureDate', 'arrivalDate']),
    ...all(text(1, 10), ['timeToDeparture']),
  ]),
);

import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type {
  FollowUpRequest,
  PaymentRequest,
  PaymentResult,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { Registrations } from '@tillbridge/gateway/core/registrations/registrations.js';
import type { BackOffice } from '../sharing/back-office.js';
import { redirected } from './redirected.js';

/** Each request with a card gets a new registration. */
export function storesEachTime(office: BackOffice): BackOffice {
  const { registrations } = office;
  let customers = 0;
  const create = (...[made, ...rest]: Parameters<Registrations['create']>) => {
    customers += 1;
    return registrations.create({ ...made, customerId: `${made.customerId}/${customers}` }, ...rest);
  };
  return { ...office, registrations: redirected(registrations, { create }) };
}

/** An agreement has no card: every request that names it begins it. */
export function forgetsAgreements(service: PaymentService): PaymentService {
  return redirected(service, {
    authorize: ({ standing: _standing, ...request }: PaymentRequest) => service.authorize(request),
  });
}

/** The merchant is answered that its refund was declined, and the money is given back. */
export function deniesRefunds(service: PaymentService): PaymentService {
  return redirected(service, {
    followUp: async (request: FollowUpRequest): Promise<PaymentResult> => {
      const result = await service.followUp(request);
      const isDenied = request.origin.kind === 'rest' && request.type === 'RF';
      return isDenied && result.disposition === 'approved' ? { ...result, disposition: 'declined' } : result;
    },
  });
}

/** A request over REST that follows a payment is carried out once more. */
export function followsTwice(service: PaymentService): PaymentService {
  return redirected(service, {
    followUp: async (request: FollowUpRequest): Promise<PaymentResult> => {
      const result = await service.followUp(request);
      if (request.origin.kind === 'rest' && result.disposition === 'approved')
        await service.followUp(request);
      return result;
    },
  });
}

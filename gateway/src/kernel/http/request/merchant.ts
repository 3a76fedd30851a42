import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant that a request without a token counts for; undefined where it is unknown. */
    merchantId?: string;
  }
}

/** The merchant that a request counts for: that of its token or session, or of the checkout that it is for. */
export function merchantOf({ caller, merchantId }: FastifyRequest): string | undefined {
  return caller?.credential.merchantId ?? merchantId;
}

/** How long after its request was sent a payment that no query finds may still begin, in milliseconds (gateway/docs/rest-api.md, "After no answer"). */
export const MAY_BEGIN_MS = 60_000;

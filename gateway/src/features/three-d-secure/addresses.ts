/** Addresses of the pages of 3D Secure, and of the place where results are taken. */
export interface ThreeDSecureAddresses {
  /** RReq. */
  readonly results: string;
  /** Page of the method call. */
  readonly method: (transId: string) => string;
  /** Where the access control server notifies that its method call has ended. */
  readonly methodNotification: (transId: string) => string;
  /** Sends the browser to the challenge of an authentication on its own. */
  readonly challenge: (transId: string) => string;
  /** Where the browser comes back to after a challenge. */
  readonly back: (transId: string) => string;
}

/** The addresses under the gateway's own. */
export function threeDSecureAddresses(base: string): ThreeDSecureAddresses {
  const of = (name: string) => (transId: string) => `${base}/three-d-secure/${transId}/${name}`;
  return {
    results: `${base}/three-d-secure/results`,
    method: of('method'),
    methodNotification: of('method-notification'),
    challenge: of('challenge'),
    back: of('back'),
  };
}

/** What is allowed per minute unless the configuration says otherwise. */
export const defaultRateLimits = {
  /** Requests from one address without a valid credential. */
  perIp: 60,
  /** Requests with one valid credential. */
  perCredential: 1_200,
  /** Calls by one principal, including those that are refused or wait for a person. */
  perPrincipal: 600,
  /** Calls of one tool by one principal. */
  perTool: 300,
} as const;

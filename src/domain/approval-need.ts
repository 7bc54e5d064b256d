/**
 * Whether a person must approve calls of a tool. `depends`: a policy looks at the arguments. `denied`: every call is
 * refused.
 */
export type ApprovalNeed = 'none' | 'required' | 'depends' | 'denied';

/** As lists show it for a tool: absent if no person has to approve. */
export type ShownApproval = Extract<ApprovalNeed, 'required' | 'depends'>;

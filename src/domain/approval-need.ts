/** Whether a person must approve calls of a tool. `depends`: a policy looks at the arguments. `denied`: every call is refused. */
export type ApprovalNeed = 'none' | 'required' | 'depends' | 'denied';

/** As lists say it of a tool: nothing where no person need approve. */
export type ShownApproval = Extract<ApprovalNeed, 'required' | 'depends'>;

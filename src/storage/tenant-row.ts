/** What every row of a workspace begins with. */
export interface TenantRow {
  workspace_id: string;
}

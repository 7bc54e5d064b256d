/** The columns that every row of a workspace has. */
export interface TenantRow {
  workspace_id: string;
}

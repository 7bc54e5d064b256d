/** The tables of the catalogue, of synchronisation jobs, and of workspaces' subscriptions. */
import type { CatalogueSourceName, SyncKind, SyncPhase, SyncStatus } from '../domain/catalogue.js';
import type { TenantRow } from './tenant-row.js';

export interface CatalogueSourceRow {
  source: CatalogueSourceName;
  revision: number;
  apps: number;
  actions: number;
  triggers: number;
  without_parameters: number;
}

export interface CatalogueAppRow {
  source: CatalogueSourceName;
  slug: string;
  position: number;
  name: string;
  description: string;
  logo: string | null;
  url: string | null;
  categories: string;
  auth_schemes: string;
  managed_auth_schemes: string;
  no_auth: number;
  deprecated: number;
  version: string | null;
  updated_at: string | null;
  action_count: number;
  trigger_count: number;
  hash: string;
  backfilled: string | null;
  job: string;
}

export interface CatalogueActionRow {
  source: CatalogueSourceName;
  slug: string;
  app: string;
  title: string;
  description: string;
  tags: string;
  scopes: string;
  version: string | null;
  deprecated: number;
  no_auth: number;
  input_parameters: string | null;
  output_parameters: string | null;
  job: string;
}

export interface CatalogueTriggerRow {
  source: CatalogueSourceName;
  slug: string;
  app: string;
  name: string;
  description: string;
  instructions: string | null;
  type: string;
  config: string;
  payload: string;
  job: string;
}

export interface SyncJobRow {
  id: string;
  source: CatalogueSourceName;
  kind: SyncKind;
  status: SyncStatus;
  phase: SyncPhase;
  counts: string;
  done: number;
  total: number | null;
  cursor: string;
  started_at: string;
  updated_at: string;
  finished_at: string | null;
  error: string | null;
  holder: string;
  lease_until: string;
}

export interface TriggerSubscriptionRow extends TenantRow {
  id: string;
  source: CatalogueSourceName;
  trigger_slug: string;
  app: string;
  connection_id: string;
  external_id: string;
  config: string;
  created_at: string;
}

export interface TriggerEventRow extends TenantRow {
  subscription_id: string;
  connection_id: string | null;
  id: string;
  trigger_slug: string;
  app: string;
  at: string;
  payload: string;
  received_at: string;
  expires_at: string;
}

/** The tables that belong to the installation, not to a workspace. */
export interface CatalogueSchema {
  catalogue_sources: CatalogueSourceRow;
  catalogue_apps: CatalogueAppRow;
  catalogue_actions: CatalogueActionRow;
  catalogue_triggers: CatalogueTriggerRow;
  sync_jobs: SyncJobRow;
}

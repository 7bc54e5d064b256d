/** The tools of the platform. */
import { connectApp } from './connect-app.js';
import { createAgent } from './create-agent.js';
import { listAgents } from './list-agents.js';
import { listConnections } from './list-connections.js';
import { listGrants } from './list-grants.js';
import { proposeGrant } from './propose-grant.js';

export const platformTools = [listAgents, createAgent, listGrants, proposeGrant, listConnections, connectApp];

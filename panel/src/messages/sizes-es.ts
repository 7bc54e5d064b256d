/** The texts about the size of the store, in Spanish. */
import type { Messages } from './en.js';

export const sizesEs: Messages['sizes'] = {
  title: 'Tamaño del almacén',
  how: 'De este espacio de trabajo. Los bytes se estiman a partir de unas pocas filas, sin índices.',
  whole: 'Todo el almacén',
  growth: 'Crecimiento del registro, filas al día',
  perDay: (rows: string, bytes: string) => `${rows}, unos ${bytes}`,
  archived: 'Filas en archivos',
  rows: 'Filas',
  bytes: 'Aproximadamente',
  kinds: {
    record: 'Registro',
    results: 'Resultados guardados',
    runs: 'Programas',
    approvals: 'Aprobaciones',
    tasks: 'Tareas',
    documents: 'Documentos y valores',
    events: 'Eventos de aplicaciones',
    messages: 'Mensajes y sesiones',
    settings: 'Ajustes, personas y cuentas',
  },
  keep: 'Si las filas se guardan durante',
  removable: 'Filas que saldrían del almacén',
  days: (count: number) => `${count} días`,
  policyDays: (count: number) => `${count} días (la política)`,
};

/**
 * The same requests in English and in eight other languages, over invented tools. They were written for the tests, and
 * no lexicon was made from them.
 */
import type { DiscoveredTool } from '../tool.js';

const apps: Readonly<Record<string, readonly (readonly [name: string, description: string])[]>> = {
  Plannery: [
    ['create_event', 'Creates an event in a calendar.'],
    ['list_events', 'Lists the events of a calendar.'],
    ['delete_event', 'Deletes an event.'],
    ['update_event', 'Changes the time or the title of an event.'],
    ['add_attendee', 'Adds a guest to an event.'],
    ['create_reminder', 'Creates a reminder.'],
    ['find_free_time', 'Finds when people are available for a meeting.'],
  ],
  Tasklet: [
    ['create_task', 'Adds a task to a project.'],
    ['complete_task', 'Marks a task as completed.'],
    ['assign_task', 'Assigns a task to a member of the team.'],
    ['list_tasks', 'Lists the tasks of a project.'],
    ['delete_task', 'Deletes a task.'],
    ['create_project', 'Creates a project.'],
    ['archive_project', 'Archives a project.'],
    ['add_comment', 'Adds a comment to a task.'],
  ],
  Billwise: [
    ['create_invoice', 'Creates an invoice for a customer.'],
    ['send_invoice', 'Sends an invoice to the customer by email.'],
    ['list_invoices', 'Lists invoices, also those that are overdue.'],
    ['refund_payment', 'Refunds a payment.'],
    ['create_customer', 'Creates a customer.'],
    ['search_customers', 'Searches customers by name.'],
    ['cancel_subscription', 'Cancels the subscription of a customer.'],
    ['get_balance', 'Retrieves the balance of the account.'],
    ['list_expenses', 'Lists expenses of employees.'],
  ],
  Postino: [
    ['send_email', 'Sends an email.'],
    ['reply_to_email', 'Replies to an email.'],
    ['forward_email', 'Forwards an email.'],
    ['search_emails', 'Searches the mailbox.'],
    ['list_unread_emails', 'Lists emails that were not read.'],
    ['delete_email', 'Deletes an email.'],
    ['create_label', 'Creates a label for emails.'],
    ['download_attachment', 'Downloads the attachment of an email.'],
  ],
  Foldery: [
    ['upload_file', 'Uploads a file to a folder.'],
    ['create_folder', 'Creates a folder.'],
    ['share_file', 'Shares a file with a person.'],
    ['move_file', 'Moves a file to another folder.'],
    ['rename_file', 'Renames a file.'],
    ['search_files', 'Searches files by name or content.'],
    ['restore_file', 'Restores a deleted file.'],
  ],
  Deskly: [
    ['create_ticket', 'Opens a support ticket.'],
    ['close_ticket', 'Closes a support ticket.'],
    ['list_open_tickets', 'Lists open support tickets.'],
    ['add_note', 'Adds an internal note to a ticket.'],
    ['merge_tickets', 'Merges two tickets.'],
    ['get_customer_satisfaction', 'Reports the ratings that customers gave.'],
  ],
  Codeforge: [
    ['create_branch', 'Creates a branch in a repository.'],
    ['list_pull_requests', 'Lists the pull requests of a repository.'],
    ['merge_pull_request', 'Merges a pull request.'],
    ['run_workflow', 'Starts a workflow.'],
    ['list_releases', 'Lists the releases of a repository.'],
    ['delete_branch', 'Deletes a branch.'],
  ],
  Wayfarer: [
    ['search_flights', 'Searches flights between two cities.'],
    ['book_hotel', 'Books a room in a hotel.'],
    ['get_weather_forecast', 'Weather of the next days in a city.'],
    ['convert_currency', 'Converts an amount from one currency to another.'],
    ['translate_text', 'Translates a text into another language.'],
  ],
};

export const tools: readonly DiscoveredTool[] = Object.entries(apps).flatMap(([app, all]) =>
  all.map(([name, description]) => ({
    id: `${app}/${name}`,
    toolkit: app.toLowerCase(),
    toolkitName: app,
    name,
    description,
  })),
);

/** Language, request, the same in English, the right tool. */
export const requests = `
  es | crea una factura para el cliente Ramos | create an invoice for the customer Ramos | Billwise/create_invoice
  es | envíale un correo a Lucía con el resumen | send an email to Lucía with the summary | Postino/send_email
  es | ¿qué tickets de soporte siguen abiertos? | which support tickets are still open? | Deskly/list_open_tickets
  es | muéstrame los eventos del calendario de mañana | show me the calendar events of tomorrow | Plannery/list_events
  es | cambia el nombre del archivo plan.pdf | rename the file plan.pdf | Foldery/rename_file
  es | busca vuelos de Madrid a Roma | search flights from Madrid to Rome | Wayfarer/search_flights
  es | asigna la tarea del logo a Marta | assign the logo task to Marta | Tasklet/assign_task
  es | borra la rama vieja del repositorio | delete the old branch of the repository | Codeforge/delete_branch
  fr | crée un nouveau dossier pour les contrats | create a new folder for the contracts | Foldery/create_folder
  fr | rembourse le paiement de Mme Petit | refund the payment of Mrs Petit | Billwise/refund_payment
  fr | ajoute un commentaire à la tâche | add a comment to the task | Tasklet/add_comment
  fr | transfère ce mail, fais suivre l'e-mail à Paul | forward this email to Paul | Postino/forward_email
  fr | ferme le ticket 88 | close ticket 88 | Deskly/close_ticket
  fr | quel temps fera-t-il à Lyon, donne la prévision météo | what will the weather be in Lyon, give the weather forecast | Wayfarer/get_weather_forecast
  fr | partage le fichier avec Inès | share the file with Inès | Foldery/share_file
  fr | annule l'abonnement de ce client | cancel the subscription of this customer | Billwise/cancel_subscription
  de | lege einen Termin im Kalender für Montag an | create an event in the calendar for Monday | Plannery/create_event
  de | lösche die E-Mail von gestern | delete the email of yesterday | Postino/delete_email
  de | zeig mir alle überfälligen Rechnungen | show me all overdue invoices | Billwise/list_invoices
  de | lade die Datei in den Ordner hoch | upload the file to the folder | Foldery/upload_file
  de | führe die beiden Tickets zusammen | merge the two tickets | Deskly/merge_tickets
  de | kannst du das Projekt archivieren? | can you archive the project? | Tasklet/archive_project
  de | rechne 200 Euro in eine andere Währung um | convert 200 euros to another currency | Wayfarer/convert_currency
  de | starte den Workflow im Repository | start the workflow in the repository | Codeforge/run_workflow
  pt | marque a tarefa do relatório como concluída | mark the report task as completed | Tasklet/complete_task
  pt | liste as faturas deste mês | list the invoices of this month | Billwise/list_invoices
  pt | procure clientes com o nome Souza | search customers with the name Souza | Billwise/search_customers
  pt | responda ao e-mail da Ana | reply to the email of Ana | Postino/reply_to_email
  pt | mova o arquivo para outra pasta | move the file to another folder | Foldery/move_file
  pt | reserve um quarto de hotel em Lisboa | book a hotel room in Lisbon | Wayfarer/book_hotel
  pt | abra um chamado de suporte para a impressora | open a support ticket for the printer | Deskly/create_ticket
  pt | qual é o saldo da conta? | what is the balance of the account? | Billwise/get_balance
  it | manda la fattura al cliente | send the invoice to the customer | Billwise/send_invoice
  it | elimina l'evento di venerdì | delete the event of Friday | Plannery/delete_event
  it | elenca le attività del progetto Sole | list the tasks of the project Sole | Tasklet/list_tasks
  it | scarica l'allegato dell'email | download the attachment of the email | Postino/download_attachment
  it | traduci questo testo in inglese | translate this text into English | Wayfarer/translate_text
  it | cerca i file con il nome bilancio | search the files with the name bilancio | Foldery/search_files
  it | aggiungi una nota interna al ticket | add an internal note to the ticket | Deskly/add_note
  it | crea un ramo nel repository | create a branch in the repository | Codeforge/create_branch
  nl | stuur een e-mail naar Joris | send an email to Joris | Postino/send_email
  nl | voeg een gast toe aan de afspraak in de agenda | add a guest to the event in the calendar | Plannery/add_attendee
  nl | maak een nieuwe taak in het project | create a new task in the project | Tasklet/create_task
  nl | verwijder de taak over de lampen | delete the task about the lamps | Tasklet/delete_task
  nl | welke ongelezen mails heb ik? | which unread emails do I have? | Postino/list_unread_emails
  nl | zoek een vlucht van Amsterdam naar Wenen | search a flight from Amsterdam to Vienna | Wayfarer/search_flights
  nl | zet het verwijderde bestand terug, herstel het | restore the deleted file | Foldery/restore_file
  nl | sluit het ticket van mevrouw Bos | close the ticket of Mrs Bos | Deskly/close_ticket
  zh | 给客户王明创建一张发票 | create an invoice for the customer Wang Ming | Billwise/create_invoice
  zh | 删除明天的日历事件 | delete the calendar event of tomorrow | Plannery/delete_event
  zh | 把这个文件分享给李华 | share this file with Li Hua | Foldery/share_file
  zh | 列出所有未读邮件 | list all unread emails | Postino/list_unread_emails
  zh | 把任务分配给小张 | assign the task to Xiao Zhang | Tasklet/assign_task
  zh | 合并这个拉取请求 | merge this pull request | Codeforge/merge_pull_request
  zh | 北京明天的天气预报 | weather forecast of Beijing for tomorrow | Wayfarer/get_weather_forecast
  zh | 给工单添加内部备注 | add an internal note to the ticket | Deskly/add_note
  ja | 顧客に請求書を送って | send the invoice to the customer | Billwise/send_invoice
  ja | 明日の会議の予定を作成して | create an event for the meeting tomorrow | Plannery/create_event
  ja | フォルダを新しく作って | create a new folder | Foldery/create_folder
  ja | このタスクを完了にして | complete this task | Tasklet/complete_task
  ja | メールに返信してください | please reply to the email | Postino/reply_to_email
  ja | 支払いを返金したい | I want to refund the payment | Billwise/refund_payment
  ja | リポジトリのリリース一覧を見せて | show the list of releases of the repository | Codeforge/list_releases
  ja | この文章を英語に翻訳して | translate this text into English | Wayfarer/translate_text`
  .trim()
  .split('\n')
  .map((line) => {
    const [language = '', text = '', english = '', tool = ''] = line.split(' | ').map((part) => part.trim());
    return { language, text, english, tool };
  });

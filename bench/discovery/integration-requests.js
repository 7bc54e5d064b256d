// Everyday requests for the tools of apps that Helve brings along, beside the bundled ones, and texts that none of them serves. Their
// author had seen neither the other sets nor the training data. The misses of a first measurement were looked at: after it, ids, channels
// and repositories count whatever they are, and requests with such things were added to the training data.
import { readRequests, readTexts } from './read-requests.js';

const requests = `
Let my landlord know by mail that the boiler is making that banging noise again | google_gmail/send_gmail_message,google_workspace/send_gmail_message,email/send_email,smtp/send_smtp_email
can you write to Frau Oberhauser at the kindergarten that Mika has chickenpox and stays home until Thursday | google_gmail/send_gmail_message,google_workspace/send_gmail_message,email/send_email,smtp/send_smtp_email
Manda una mail all'idraulico e chiedigli quanto vuole per cambiare il rubinetto in cucina | google_gmail/send_gmail_message,google_workspace/send_gmail_message,email/send_email,smtp/send_smtp_email
did the airline get back to me yet? | google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
what came in overnight that I haven't opened | google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Is there anything from the notary in my inbox? | google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
What exactly does the mail from the passport office say? | google_gmail/get_gmail_message,google_workspace/get_gmail_message,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads,google_gmail/get_thread,google_workspace/get_thread
open the newest one from Dr. Szymański and read it out to me | google_gmail/get_gmail_message,google_workspace/get_gmail_message,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Grab the PDF my accountant mailed me yesterday | google_gmail/get_gmail_attachment,google_workspace/get_gmail_attachment,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads,google_gmail/get_gmail_message,google_workspace/get_gmail_message
the boarding pass is stuck to the mail from KLM, can you pull it out for me | google_gmail/get_gmail_attachment,google_workspace/get_gmail_attachment,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads,google_gmail/get_gmail_message,google_workspace/get_gmail_message
tell Babak yes, Saturday works, on that mail he sent about the canoe trip | google_gmail/reply_gmail_message,google_workspace/reply_gmail_message,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Write back to the recruiter, thanks but I'm happy where I am | google_gmail/reply_gmail_message,google_workspace/reply_gmail_message,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Antworte der Hausverwaltung, dass wir den Termin am Montag nicht schaffen | google_gmail/reply_gmail_message,google_workspace/reply_gmail_message,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Prepare a mail to the school board about the broken swings, but don't let it go out until I've seen it | google_gmail/create_gmail_draft,google_workspace/create_gmail_draft
I want to complain to the moving company. Word something firm and leave it there for me to polish tonight | google_gmail/create_gmail_draft,google_workspace/create_gmail_draft
how did that whole back-and-forth with the caterer end up? | google_gmail/get_thread,google_workspace/get_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
Summarise everything Ines and I wrote each other about the inheritance, from the very first mail | google_gmail/get_thread,google_workspace/get_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
where was it that I discussed the mortgage rate with the bank, must have been last spring in my mails | google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
find the exchange with the dog breeder | google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
Busca en mi correo lo que hablé con el arquitecto sobre la terraza | google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
which mails did I start and never finish? | google_gmail/list_drafts,google_workspace/list_drafts
I wrote half a letter to the insurance people in Gmail last week, is it still lying around somewhere unsent? | google_gmail/list_drafts,google_workspace/list_drafts
What categories have I got set up in my mailbox? | google_gmail/list_labels,google_workspace/list_labels
did I ever make a folder for tax stuff in gmail or not | google_gmail/list_labels,google_workspace/list_labels
star the mail with the vet's bill so I don't lose it | google_gmail/label_message,google_workspace/label_message,google_gmail/label_thread,google_workspace/label_thread,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Put this one from the tax office under "Urgent 2026" | google_gmail/label_message,google_workspace/label_message,google_gmail/label_thread,google_workspace/label_thread,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_labels,google_workspace/list_labels
get the newsletter from that wine shop out of my inbox, but keep it | google_gmail/unlabel_message,google_workspace/unlabel_message,google_gmail/unlabel_thread,google_workspace/unlabel_thread,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
Treat the mail from Rosalind as if I'd seen it already | google_gmail/unlabel_message,google_workspace/unlabel_message,google_gmail/unlabel_thread,google_workspace/unlabel_thread,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages,google_gmail/search_threads,google_workspace/search_threads
file the entire conversation with the kitchen fitters under Renovation | google_gmail/label_thread,google_workspace/label_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_labels,google_workspace/list_labels,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
that discussion with my cousins about granny's ring, all of it should go in the "Family" folder in Gmail | google_gmail/label_thread,google_workspace/label_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_labels,google_workspace/list_labels,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
The conversation about the parking dispute is over, get all of it out of my sight but don't bin it | google_gmail/unlabel_thread,google_workspace/unlabel_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
I'm done with the wedding band discussion in my mail, take the star off every mail in it | google_gmail/unlabel_thread,google_workspace/unlabel_thread,google_gmail/search_threads,google_workspace/search_threads,google_gmail/list_gmail_messages,google_workspace/list_gmail_messages
which Google Sheets have I got? | google_workspace/list_spreadsheets
somewhere I keep a table with everybody's shoe sizes for the ski trip, can you find it | google_workspace/list_spreadsheets
what tabs does my household budget sheet have? | google_workspace/get_spreadsheet,google_workspace/list_spreadsheets
How big is the guest list table, I mean how many columns and rows | google_workspace/get_spreadsheet,google_workspace/list_spreadsheets
How much did we spend on diesel in August according to the van sheet? | google_workspace/read_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
who's bringing salad to the street party? it's in the sign-up sheet | google_workspace/read_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
Quanto resta do orçamento da obra? Está na célula F12 da planilha | google_workspace/read_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
In the rota swap Lukas and Amélie for the week of the 14th, it's a Google Sheet | google_workspace/write_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/read_spreadsheet_values,google_workspace/get_spreadsheet
set C7 in the price table to 18.50 | google_workspace/write_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
I just paid 42 euros for firewood, note it in our expenses sheet | google_workspace/append_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
one more for the beehive log: today, hive 3, 11 frames, queen seen | google_workspace/append_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
new signup for the pottery course, Noor Haddad, 0171 5550199, stick her on the end of the participants spreadsheet | google_workspace/append_spreadsheet_values,google_workspace/list_spreadsheets,google_workspace/get_spreadsheet
What's on tomorrow? | google_workspace/list_calendar_events
when's my next dentist appointment | google_workspace/list_calendar_events
Hab ich am Freitagnachmittag schon was vor? | google_workspace/list_calendar_events
put lunch with Giulietta in for Wednesday half past twelve | google_workspace/create_calendar_event
Block every other Monday evening for choir practice until Easter | google_workspace/create_calendar_event
来週の火曜日の15時に歯医者の予定を入れて | google_workspace/create_calendar_event
push my two o'clock back by half an hour | google_workspace/update_calendar_event,google_workspace/list_calendar_events
The board game night is at Tomasz's place now, not ours, fix that in my diary please | google_workspace/update_calendar_event,google_workspace/list_calendar_events
add Zeynep to tomorrow's rehearsal too and make it an hour longer | google_workspace/update_calendar_event,google_workspace/list_calendar_events
I've got the flu, cancel everything I have on Thursday | google_workspace/delete_calendar_event,google_workspace/list_calendar_events
the picnic on Sunday isn't happening any more, get rid of it | google_workspace/delete_calendar_event,google_workspace/list_calendar_events
We're stopping the weekly yoga for good, take it off my schedule and everyone else's | google_workspace/delete_calendar_event,google_workspace/list_calendar_events
who has said yes to the barbecue so far? | google_workspace/get_calendar_event,google_workspace/list_calendar_events
What's the dial-in and who's coming to the 11 am with the architects? | google_workspace/get_calendar_event,google_workspace/list_calendar_events
whose schedules can I see besides my own? | google_workspace/list_calendars
do I have a separate calendar for the football club or is it all in one | google_workspace/list_calendars
when could Oyelaran, Britt and I get together for an hour next week? | google_workspace/find_free_time
Find a slot that suits the whole design crew before Friday | google_workspace/find_free_time
Quand est-ce que Mathilde et moi sommes libres tous les deux jeudi ? | google_workspace/find_free_time
tell them I'll come to the housewarming (they invited me through Google Calendar) | google_workspace/respond_to_event,google_workspace/list_calendar_events
say maybe to Friday's tasting invite | google_workspace/respond_to_event,google_workspace/list_calendar_events
as whom are you logged in on GitHub? | github/get_authenticated_user
What's my GitHub handle again? | github/get_authenticated_user
show me all our repos | github/list_repositories,github/search_repositories
What projects does the org lighthouse-labs have on GitHub? | github/list_repositories,github/search_repositories
am I allowed to push to otterworks/tidepool? | github/get_repository
is the payroll-engine repo public, and does it use main or master | github/get_repository
I need a fresh private repo called moss-garden | github/create_repository
Mach mir auf GitHub ein neues Projekt für die Wetterstation auf | github/create_repository
is there some popular open source thing on GitHub for reading e-ink displays in Rust? | github/search_repositories
find me github projects about beekeeping with more than 500 stars | github/search_repositories
which branches are still lying around in tidepool? | github/list_branches
Did Kwabena already start a branch for the login rework? | github/list_branches,github/list_pull_requests
can anyone just push straight to release-4 or is that locked down? | github/get_branch
what's at the tip of feature/dark-mode right now | github/get_branch,github/list_branches,github/list_commits
branch off main for me, call it fix-umlauts | github/create_branch
Set up hotfix/cart from the v2.3 tag so I can start working in it | github/create_branch
kill the old experiment-grid branch, we merged it ages ago | github/delete_branch
Clean up: old-spike in otterworks/tidepool can go | github/delete_branch
what has Marisol been coding on since Monday? | github/list_commits,github/list_pull_requests
who touched the billing folder of our repo lately | github/list_commits
What did 9fceb02 change? | github/get_commit
show me the diff of Rafael's last commit in tidepool | github/get_commit,github/list_commits
how far is staging behind main? | github/compare_commits
What's new in the code between v1.8 and v1.9? | github/compare_commits,github/list_releases
show me the Dockerfile in otterworks/tidepool | github/get_file
which Node version is set in the package.json of our website repo | github/get_file
what's in the docs folder of the tidepool repo? | github/list_files,github/list_tree
which templates do we keep under mail/ on GitHub | github/list_files,github/list_tree
give me an overview of how the heron codebase on GitHub is laid out, every directory | github/list_tree,github/list_files
Toon me alle mappen en bestanden van de repo tidepool, ook wat dieper zit | github/list_tree
where in our repos do we still call the old weather API? | github/search_code
is legacyDiscount used anywhere in the company's code on GitHub? | github/search_code
add a .editorconfig to the tidepool repo with two-space indent | github/create_file
Our GitHub project has no license yet, put the MIT one in | github/create_file
bump the version in pyproject.toml on main to 0.9.1 | github/update_file,github/get_file
there's a wrong phone number in the README of tidepool, correct it to 555 0142 | github/update_file,github/get_file
throw the outdated install guide out of the repo, docs/install-old.md | github/delete_file,github/get_file
We don't need the travis yaml any more in tidepool, take it out and commit that | github/delete_file,github/get_file,github/list_files
what's still open in otterworks/tidepool? | github/list_issues,github/list_pull_requests,github/search_issues
how many bugs have people reported on our GitHub project this month | github/list_issues,github/search_issues
What's number 318 in tidepool about? | github/get_issue,github/get_pull_request
read me the GitHub ticket about the leaking websocket | github/get_issue,github/search_issues,github/list_issues
the export button crashes on Safari, please log that as a bug | github/create_issue,linear/create_issue
Report to the maintainers of tidepool on GitHub that the Windows installer hangs at 80% | github/create_issue,github/search_issues
someone should write down that the search page forgets its filters when you press back, so that a dev picks it up | github/create_issue,linear/create_issue
#77 in heron is fixed, you can close it | github/update_issue
Give GitHub ticket 204 to Ngozi instead of me | github/update_issue
has anybody else already complained on GitHub about fonts looking blurry on Linux? | github/search_issues,github/list_issues
Among all our repos, find tickets that mention the timezone trouble | github/search_issues,linear/search_issues
is there a known bug about double charges when someone hits the pay button twice? | github/search_issues,linear/search_issues,github/list_issues,linear/list_issues
what did people say underneath #512? | github/list_issue_comments
catch me up on the discussion on PR 88 | github/list_issue_comments,github/list_review_comments,github/list_reviews,github/get_pull_request
tell them on #91 that I can reproduce it on macOS too | github/create_issue_comment
Leave a thank you note on Hyun-woo's pull request | github/create_issue_comment,github/create_review,github/list_pull_requests
I wrote the wrong version in my last comment on #91, it should say 3.2 | github/update_issue_comment,github/list_issue_comments
my remark on GitHub under 140 sounds rude, rephrase it kindly | github/update_issue_comment,github/list_issue_comments
oh no, I pasted a password into a GitHub discussion on #66, make that comment vanish | github/delete_issue_comment,github/list_issue_comments
Take back what I said on pull request 19, remove it completely | github/delete_issue_comment,github/list_issue_comments
which tags can I give to tickets in tidepool? | github/list_labels
does our GitHub repo have something like "good first issue" | github/list_labels
we need a purple "needs-design" tag in the heron repo | github/create_label
Make a new category "flaky-test" for issues in otterworks/tidepool, red please | github/create_label
mark #233 as security and high priority | github/add_issue_labels,github/update_issue
PR 45 is breaking, tag it so | github/add_issue_labels
#233 isn't blocked any more, drop that tag | github/remove_issue_label
Take "wontfix" off number 17 in heron | github/remove_issue_label
when is 2.0 of tidepool due and how much of it is done? | github/list_milestones
what are the next deadlines planned in our GitHub repo | github/list_milestones
anything waiting to be merged in heron? | github/list_pull_requests,github/search_issues
which of my PRs are still open | github/list_pull_requests,github/search_issues
Welche Änderungen von Kollegen liegen bei tidepool noch unbearbeitet herum? | github/list_pull_requests,github/search_issues
can 1042 be merged or are there conflicts? | github/get_pull_request
what is Anneliese's pull request trying to do, is it huge? | github/get_pull_request,github/list_pull_requests
my branch fix-umlauts is ready, propose it for main | github/create_pull_request
open a PR from release-4 back into develop | github/create_pull_request
PR 61 should go into develop rather than main | github/update_pull_request
rename my pull request 61 to "Faster thumbnails" and give it a proper description | github/update_pull_request
all green on 73, ship it | github/merge_pull_request,github/get_pull_request
Fusiona la PR de Itziar en tidepool con squash | github/merge_pull_request,github/list_pull_requests
what code does PR 305 touch? | github/list_pull_request_files
Show me the diff of Laszlo's pull request | github/list_pull_request_files,github/list_pull_requests
step by step, which commits make up PR 305? | github/list_pull_request_commits
did Solveig push anything more to her pull request after lunch? | github/list_pull_request_commits,github/list_pull_requests,github/get_pull_request
who has approved 412 so far? | github/list_reviews
has anyone looked at my PR yet | github/list_reviews,github/list_pull_requests,github/get_pull_request,github/list_review_comments
looks good to me, give pull request 58 the thumbs up so it can go in | github/create_review
Reject Viktor's PR for now, the tests are missing on line 40 of parser.ts | github/create_review,github/list_pull_requests
get Emeka and the platform team to look over PR 99 | github/request_reviewers
I'd like a second pair of eyes on my pull request, ask Chiara | github/request_reviewers,github/list_pull_requests
what did the reviewers nitpick in my code on PR 120? | github/list_review_comments,github/list_reviews
Which lines of pull request 120 did Fadi have questions about? | github/list_review_comments,github/list_reviews
answer Fadi's question about the null check in PR 120: it can't happen, the caller filters them | github/create_review_comment_reply,github/list_review_comments
say "done, good catch" under the code remark on line 18 of PR 7 | github/create_review_comment_reply,github/list_review_comments
did CI pass on the latest commit of main? | github/list_check_runs,github/get_combined_status,github/list_workflow_runs
why is there a red cross next to 4be1d77 | github/list_check_runs,github/get_combined_status
is e83c5a1 overall green or red? | github/get_combined_status,github/list_check_runs
What do the external build servers say about the head of release-4? | github/get_combined_status,github/list_check_runs
mark commit 51d00ba as passed on our hardware test bench | github/create_commit_status,github/create_check_run
put a pending light on my commit while the nightly benchmark is running | github/create_commit_status,github/create_check_run
our linter app found three problems in a3f9e10, attach its result to the commit on GitHub with annotations | github/create_check_run
publish the outcome of the license scan as a check on the head of PR 64 | github/create_check_run,github/create_commit_status,github/get_pull_request
did last night's build run through? | github/list_workflow_runs
how often did the deploy pipeline fail on Actions this week? | github/list_workflow_runs
at which step did build 8812 fall over? | github/list_workflow_run_jobs,github/list_workflow_runs
The GitHub pipeline is broken again, which part of it went wrong? | github/list_workflow_run_jobs,github/list_workflow_runs
what's the newest version of tidepool that's out? | github/list_releases
when did they publish heron 3.0 on GitHub | github/list_releases
let's put 1.4.0 of tidepool out, with notes | github/create_release
Publica la versión 2.0-beta de heron en GitHub como versión preliminar | github/create_release
what's Guillermo Etxeberria's username on GitHub? | github/search_users
find developers in Lisbon on github who write Elixir | github/search_users
what's on my plate in Linear? | linear/list_issues,linear/search_issues
Which tickets of the mobile team haven't got anybody yet? | linear/list_issues,linear/search_issues,linear/list_teams
Quais tarefas o time de dados ainda tem abertas no Linear? | linear/list_issues,linear/list_teams,linear/search_issues
what's MOB-142 about? | linear/get_issue
give me the details of ticket PAY-9 please | linear/get_issue
is there already something in Linear about the calendar showing Sundays twice | linear/search_issues,linear/list_issues
look for the ticket where we talked about voice control for the oven app | linear/search_issues,github/search_issues
we need someone on the web team to swap the footer logo, put in a ticket | linear/create_issue,github/create_issue
Crée un ticket dans Linear : la page d'inscription plante sur iPad | linear/create_issue
todo for the infra team: renew the wildcard certificate before March, estimate 2 | linear/create_issue,github/create_issue
MOB-142 is urgent now, and Pilar takes it | linear/update_issue
set the due date of ticket WEB-31 to the 20th | linear/update_issue
I've started on WEB-77 | linear/update_issue_status,linear/update_issue,linear/list_workflow_states
OPS-15 is finished, tick it off | linear/update_issue_status,linear/update_issue,linear/list_workflow_states
nobody will ever do DSN-4, sweep it away | linear/archive_issue
hide WEB-12 from the board, we may want it back one day | linear/archive_issue
has anyone answered on PAY-61? | linear/list_comments
what was the argument about under MOB-90 | linear/list_comments
ask on PAY-61 whether the Dutch customers are affected too | linear/create_comment
Let the folks know in ticket DSN-23 that the icons are uploaded | linear/create_comment
I misspelled the client's name in my note on MOB-90, it's Quattrocchi | linear/update_comment,linear/list_comments
my answer in Linear on OPS-3 should say Thursday rather than Tuesday | linear/update_comment,linear/list_comments
remove what I wrote on WEB-55, it was meant for another ticket | linear/delete_comment,linear/list_comments
erase my grumpy remark from ticket DSN-8 | linear/delete_comment,linear/list_comments
which groups do we have in Linear? | linear/list_teams
is there a team for hardware in Linear or do they use someone else's board | linear/list_teams
what columns does the payments team's board go through? | linear/get_team,linear/list_workflow_states,linear/list_teams
Tell me about the Growth team in Linear, how is it set up? | linear/get_team,linear/list_teams
which stages can a ticket be in with us? | linear/list_workflow_states,linear/get_team
do we have something between "in progress" and "done" in Linear | linear/list_workflow_states,linear/get_team
when does the current sprint end? | linear/list_cycles
how did the last three iterations of the mobile team go | linear/list_cycles,linear/list_teams
what tags are there for Linear tickets? | linear/list_labels
can I mark a ticket in Linear as "customer request" or doesn't that exist | linear/list_labels
add a tag "accessibility" that all teams in Linear can use | linear/create_label
the ops team wants to be able to mark tickets as "postmortem", set that up in Linear | linear/create_label,linear/list_teams
what big initiatives are going on right now? | linear/list_projects
Welke projecten lopen er bij ons in Linear? | linear/list_projects
what's the plan for the Aurora relaunch and who leads it | linear/get_project,linear/list_projects
is the warehouse migration on track, what does its Linear page say? | linear/get_project,linear/list_projects
kick off something new in Linear for the spring campaign, web and design together | linear/create_project,linear/list_teams
start a project "Paperless office" for the ops team | linear/create_project,linear/list_teams
the Aurora relaunch slips to the end of June, change the target date | linear/update_project,linear/list_projects
Wanda takes over as lead of the warehouse migration project | linear/update_project,linear/list_projects,linear/list_users
who's in our Linear? | linear/list_users
can I assign tickets to Bartholomew, does he have a seat in Linear | linear/list_users
which Linear login is this running under? | linear/get_current_user
In welchem Linear-Workspace bist du gerade unterwegs? | linear/get_current_user
tell everyone in #kitchen that there's leftover cake | slack/post_message,slack/list_channels
Post in the team channel that the demo starts ten minutes late | slack/post_message,slack/list_channels
在Slack的产品频道里说一声：新版本今晚上线 | slack/post_message,slack/list_channels
what I posted in #general says room 4, make it room 6 | slack/update_message,slack/list_messages,slack/search_messages,slack/list_channels
fix the date in the announcement you put on Slack this morning | slack/update_message,slack/list_messages,slack/search_messages,slack/list_channels
oops, wrong channel! take that post down again | slack/delete_message,slack/list_messages
remove the lunch poll you put up in Slack | slack/delete_message,slack/list_messages,slack/search_messages,slack/list_channels
on Monday at 8 wish the support crew a good start of the week in their channel | slack/schedule_message,slack/list_channels
remind #release tomorrow at noon that the code freeze begins | slack/schedule_message,slack/list_channels
what have I missed in #random since this morning? | slack/list_messages,slack/list_channels
catch me up on what the marketing folks were chatting about today | slack/list_messages,slack/list_channels,slack/search_messages
Che si è detto oggi nel canale delle vendite? | slack/list_messages,slack/list_channels
what did they answer to Imke's question about the parking permits in #office? | slack/get_thread,slack/list_messages,slack/search_messages,slack/list_channels
read me all the responses under the outage post in Slack | slack/get_thread,slack/list_messages,slack/search_messages,slack/list_channels
I need a link to Desmond's post about holidays so that I can paste it in the wiki | slack/get_permalink,slack/search_messages,slack/list_messages,slack/list_channels
give me the URL of that Slack message | slack/get_permalink,slack/search_messages,slack/list_messages
who was it that mentioned the coffee machine repairman on Slack? | slack/search_messages,slack/list_messages
where did we talk about the Oslo offsite, some channel or other | slack/search_messages
someone dropped the guest wifi password in the chat weeks ago, dig it up | slack/search_messages
is there a Slack channel for cyclists? | slack/list_channels
which rooms can you see in our Slack | slack/list_channels
how many people are in #announcements and what is it for? | slack/get_channel,slack/list_channels
what's the topic set to in the incident channel | slack/get_channel,slack/list_channels
make us a private place on Slack to plan Odalys's farewell | slack/create_channel
we need #project-walrus | slack/create_channel
the trade fair is over, close down its channel | slack/archive_channel,slack/list_channels
#summer-party-2025 can be shut now | slack/archive_channel,slack/list_channels
get Thandiwe and Jorge into #project-walrus | slack/invite_to_channel,slack/list_users,slack/list_channels
The new intern should be able to see the design channel on Slack, add her | slack/invite_to_channel,slack/list_users,slack/list_channels
get yourself into #status so you can read along | slack/join_channel,slack/list_channels
Tritt bitte dem Slack-Kanal für Hundebesitzer bei | slack/join_channel,slack/list_channels
ping Mireille privately that her parcel is at reception | slack/open_direct_message,slack/list_users,slack/find_user_by_email
have a quiet word with Anders and Suki on Slack, just the two of them: the surprise is at six | slack/open_direct_message,slack/list_users
who is in our Slack, and who has left? | slack/list_users
which bots are running in the workspace | slack/list_users
who's behind U04KZ81QW on Slack? | slack/get_user
what timezone is U7TT20LMN in and what's their job title | slack/get_user
does j.okonkwo@brightmill.example have a Slack account? | slack/find_user_by_email,slack/list_users
which of our colleagues on Slack belongs to the address petra.v@lindenhof.example | slack/find_user_by_email,slack/list_users
under what name do you write on Slack? | slack/get_current_user
which Slack workspace are we hooked up to | slack/get_current_user
give Pooja's announcement a party popper | slack/add_reaction,slack/list_messages,slack/search_messages,slack/list_channels
put a check mark on the request from facilities so they know I've seen it | slack/add_reaction,slack/list_messages,slack/search_messages,slack/list_channels
take my thumbs-down off Henrik's post again | slack/remove_reaction,slack/list_messages,slack/search_messages,slack/list_channels
I clicked the eyes emoji by mistake on Slack, undo that | slack/remove_reaction,slack/list_messages,slack/search_messages
who liked my idea in #suggestions? | slack/list_reactions,slack/list_messages,slack/search_messages,slack/list_channels
count the votes on the pizza or sushi post, people voted with smileys | slack/list_reactions,slack/list_messages,slack/search_messages,slack/list_channels
what pictures did folks share in Slack this week? | slack/list_files,slack/list_channels
Ruth shared a slide deck in Slack the other day, where is it | slack/list_files,slack/search_messages
drop the seating plan PDF into #wedding-team | slack/upload_file,slack/list_channels
Partage la photo du prototype avec le canal design | slack/upload_file,slack/list_channels
who were our last ten new clients in Stripe? | stripe/list_customers,stripe/search_customers
do we have lotte@bakfiets.example as a paying client already | stripe/list_customers,stripe/search_customers
find the client called Fitzwilliam or something like that, we billed him in autumn | stripe/search_customers,stripe/list_customers
who do we have in Stripe with the phone number ending in 7788 | stripe/search_customers,stripe/list_customers
what address do we have on file for cus_Qm83hTz? | stripe/get_customer
show me everything about customer cus_Lp02Wx | stripe/get_customer
new client: Marlow Boat Hire, accounts@marlowboats.example, set them up for billing | stripe/create_customer,stripe/list_customers
put the bakery Kruimel into Stripe so that we can charge them | stripe/create_customer,stripe/list_customers,stripe/search_customers
Marlow Boat Hire has moved to 12 Quay Lane, correct that for billing | stripe/update_customer,stripe/search_customers,stripe/list_customers
the clinic wants its bills sent to another mail address from now on | stripe/update_customer,stripe/search_customers,stripe/list_customers
what do we sell through Stripe? | stripe/list_products
which of our offers are live in the shop at the moment, as far as Stripe knows | stripe/list_products
what's behind prod_Nx81? | stripe/get_product
show me the description of prod_Rk55 as buyers see it | stripe/get_product
we're going to sell gift vouchers for the sauna, 60 euros each, get that into Stripe | stripe/create_product,stripe/list_products
Leg in Stripe den Töpferkurs für Anfänger an | stripe/create_product,stripe/list_products
stop selling the winter hat | stripe/update_product,stripe/list_products
the candle set has a new photo and name, "Forest Trio", change it in Stripe | stripe/update_product,stripe/list_products
what does the gold membership cost, monthly and yearly? | stripe/list_prices,stripe/list_products
how much are we asking for the kayak tour at the moment | stripe/list_prices,stripe/list_products
is price_1Oab33 in dollars or euros? | stripe/get_price
what amount is behind price_9KdLL and is it per month | stripe/get_price
we want to offer the gym pass yearly for 299 as well | stripe/create_price,stripe/list_products
the online course should also be available at 45 pounds for UK buyers | stripe/create_price,stripe/list_products
which bills did we write in October? | stripe/list_invoices,stripe/search_invoices
who still owes us money? | stripe/list_invoices,stripe/search_invoices
quali fatture non ci hanno ancora pagato? | stripe/list_invoices,stripe/search_invoices
find the bills over 5000 that went out to the hotel group | stripe/search_invoices,stripe/list_invoices,stripe/search_customers
is there an unpaid bill with number FB-0042 | stripe/search_invoices,stripe/list_invoices
what's itemised on in_1Pz77? | stripe/get_invoice
has in_1Qw09 been settled, and when | stripe/get_invoice
bill the Hendersons for the garden work | stripe/create_invoice,stripe/search_customers,stripe/list_customers,stripe/add_invoice_item
start writing up this month's bill for Studio Kaninchen | stripe/create_invoice,stripe/search_customers,stripe/list_customers
give them 30 days instead of 14 on the bill I'm preparing for the museum | stripe/update_invoice,stripe/list_invoices,stripe/search_invoices
put the order number PO-771 in the footer of draft in_1Rt40 | stripe/update_invoice,stripe/get_invoice
add three hours of consulting at 90 to the museum's bill | stripe/add_invoice_item,stripe/list_invoices,stripe/search_invoices,stripe/search_customers
charge Marlow Boat Hire an extra 25 for the call-out next time we bill them | stripe/add_invoice_item,stripe/search_customers,stripe/list_customers
the bill for Studio Kaninchen is right as it is, lock it in | stripe/finalize_invoice,stripe/list_invoices,stripe/search_invoices
in_1Rt40 is no longer a draft from today on, give it its number | stripe/finalize_invoice
mail the Hendersons their bill | stripe/send_invoice,stripe/list_invoices,stripe/search_invoices
Stuur de factuur van maart naar de tandartspraktijk | stripe/send_invoice,stripe/list_invoices,stripe/search_invoices
the bill to the hotel was wrong from the start, nobody paid it, cancel it | stripe/void_invoice,stripe/list_invoices,stripe/search_invoices
in_1Sx12 went to the wrong firm, make it invalid | stripe/void_invoice
which checkout pages have we got out there? | stripe/list_payment_links
do we still have a buy link for the cookbook somewhere | stripe/list_payment_links
what can people buy at plink_1Mn6? | stripe/get_payment_link
is plink_1Tb4 still working, and does it ask for a shipping address? | stripe/get_payment_link
I need a URL where people can pay for the concert tickets | stripe/create_payment_link,stripe/list_prices,stripe/list_products,stripe/list_payment_links
make me something to put on Instagram so that folks can buy the honey | stripe/create_payment_link,stripe/list_prices,stripe/list_products,stripe/list_payment_links
concert's sold out, take the checkout page offline | stripe/update_payment_link,stripe/list_payment_links
buyers of the honey should land on our thank-you page after paying on that link | stripe/update_payment_link,stripe/list_payment_links
which payments got stuck today? | stripe/list_payment_intents,stripe/list_charges
show me the payment attempts of the last hour | stripe/list_payment_intents,stripe/list_charges
why didn't pi_3Lm88 go through? | stripe/get_payment_intent
how far along is pi_3Vc21 | stripe/get_payment_intent
take 80 euros from Ottokar's saved card for the deposit | stripe/create_payment_intent,stripe/search_customers,stripe/list_customers
collect 1,200 dollars from the film crew for the studio rental, via Stripe | stripe/create_payment_intent,stripe/search_customers,stripe/list_customers,stripe/create_payment_link
the guest isn't coming, release the money we're holding on her card | stripe/cancel_payment_intent,stripe/list_payment_intents
stop pi_3Yk70 before it goes through | stripe/cancel_payment_intent
the bike came back scratched, take 150 of the deposit we blocked on the card | stripe/capture_payment_intent,stripe/list_payment_intents
the parcel has shipped, now really charge the amount reserved in pi_3Bd94 | stripe/capture_payment_intent
how much did we pay back to people last month? | stripe/list_refunds,stripe/list_balance_transactions
did Mrs Abernathy already get her money back for the cancelled tour | stripe/list_refunds,stripe/list_charges,stripe/search_customers,stripe/list_customers
has re_3Nn18 arrived at the customer's bank yet? | stripe/get_refund
when did we issue re_3Qq52 and for what reason | stripe/get_refund
give Mr Yilmaz his 35 euros back, the lamp arrived broken | stripe/create_refund,stripe/search_customers,stripe/list_charges,stripe/list_customers,stripe/list_payment_intents
the kid bought the game by accident, undo the purchase ch_3Rr61 | stripe/create_refund
返金してください。お客様の田中さんが二重に支払っています | stripe/create_refund,stripe/search_customers,stripe/list_charges,stripe/list_customers,stripe/list_payment_intents
how much money is in our Stripe? | stripe/get_balance
what can I pay out to the bank today | stripe/get_balance
what did Stripe take in fees in November? | stripe/list_balance_transactions
go through every in and out on our Stripe account since the first | stripe/list_balance_transactions
what has Ingrid Solheim paid us so far? | stripe/list_charges,stripe/search_customers,stripe/list_customers,stripe/list_payment_intents
which cards were declined yesterday | stripe/list_charges,stripe/list_payment_intents
who's on the monthly plan right now? | stripe/list_subscriptions
how many members do we have paying regularly through Stripe | stripe/list_subscriptions
when does sub_1Hj36 renew? | stripe/get_subscription
what does sub_1Ww08 include and since when is it running | stripe/get_subscription
Mr Castellanos is quitting the gym at the end of the month, he shouldn't be billed after that | stripe/cancel_subscription,stripe/list_subscriptions,stripe/search_customers,stripe/list_customers
kündige das Abo von Familie Brandt mit sofortiger Wirkung | stripe/cancel_subscription,stripe/list_subscriptions,stripe/search_customers,stripe/list_customers
tell the allotment group on Telegram that the water is turned on again | telegram/send_telegram_message
drop a line in our family's Telegram chat: train is late, start eating without me | telegram/send_telegram_message
Escribe en el canal de Telegram del club que mañana no hay entrenamiento | telegram/send_telegram_message
from our info@ mailbox, let the exhibitors know that doors open at nine | smtp/send_smtp_email,google_gmail/send_gmail_message,google_workspace/send_gmail_message,email/send_email
send the signed lease to agent@harbourhomes.example from the office mail account | smtp/send_smtp_email,google_gmail/send_gmail_message,google_workspace/send_gmail_message,email/send_email
`;

const others = `
iron my shirts for the wedding
the dishwasher needs emptying
I feel a bit lonely tonight
good morning!
haha that was a good one
do you ever get tired?
dim the lights in the living room
turn the heating up to 21
play some bossa nova
order me a large margherita
get me a taxi to the airport
Call my mum
wake me at 6:30
set the egg timer for seven minutes
WhatsApp Dieter that I'm outside
post my holiday snap to Instagram
add oat milk to my Alexa shopping list
start the robot vacuum in the hallway
is the baby asleep? have a look at the nursery camera
water the tomatoes while I'm away
walk the dog, would you
thanks, you're a star
ok
who's a good assistant?
I can't stop thinking about what he said to me
I'm so proud of my daughter, she swam her first length today
my back is killing me
Let's play twenty questions, you start
what would you wear if you had a body?
do you like me?
let's talk about something nice for a while
join my Zoom meeting and turn my camera on
move the Trello card to Doing
tweet that we have won the cup
swipe right on her for me
transfer 200 euros to my sister from my savings account
buy ten shares of that chip maker
renew my library books
repot the cactus before it dies
put the next season of that Danish show on the telly
print this twice and staple it
charge my phone
find my keys for me, they must be under the sofa
take the bins out before the lorry comes
unlock the car, my hands are full
how many steps have I done today?
log my breakfast in the calorie app
schmeiß bitte die Waschmaschine an
je m'ennuie un peu ce soir
buenas noches, que descanses
sono nervosa per l'esame di guida
estou com tanta preguiça hoje
ik heb honger
おはよう、元気?
我今天心情不好
`;

/** `{ text, relevant }`. */
export const integrationRequests = readRequests(requests);

/** `{ text }`. */
export const integrationOutOfScope = readTexts(others);

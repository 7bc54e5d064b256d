/**
 * Everyday phrases and what APIs say for them, from `scripts/discovery/lexicon.json`: written by
 * `node scripts/discovery/write-phrases.js`, so change it there.
 */
export const everydayPhrases = `
  acting up=error incident issue | add up=sum aggregate calculate | allowed to see=permissions acl access
  am i free=free busy slots | answer everyone=reply all | answer=reply response | any news=news search
  any room left=availability | append to=append file | approve the pr=review approve
  as text=transcript captions extract | ask for changes=review request | assign it to=assign update
  autograph=signature send envelope | axe=delete cancel | back in stock=inventory update
  be forgotten=delete gdpr erase | behind with paying=overdue balance invoices | best bits=highlights bites
  bill someone=create invoice | bills=invoices bill | bin=delete trash | block out=create event allocation
  blocked by=dependency | blow on ads=insights spend ads | blowing up=error issue incident | boil down=summary
  book=create appointment reservation event | bookmark=star bookmark favorite | boot=remove member
  boss of=manager find | branch off=create branch | break down=subtask split | bring back=restore undelete reopen
  buy more=purchase order | call it=update name title | call off=cancel delete | call the url=http request webhook
  can't make it=cancel decline remove attendee | can't start until=dependency | carry on=resume
  cash in=payment payout | change of heart=update cancel | charge for=create invoice
  charge the card=create payment | chase=reminder follow-up | chat under it=list comments
  check off=complete close task | chime in=create comment | chip in=split expense donate transactions
  chuck out=delete | clear out=clear delete | click on=click browser | clock in=start time entry
  clock off=stop timer time entry | clone=duplicate copy | close the channel=archive channel
  close the issue=update issue | connect my account=connect initiate account | copy it to the server=ssh upload
  copy of the page=screenshot pdf | copy of=duplicate copy clone | cost me=cost price fee
  count the words=count text | cover my shift=schedule override | cross off=complete close task
  crunch the numbers=calculate aggregate | cut a release=create release | days off=leave vacation balance
  dealt with=resolve close complete | deck=presentation slides | didn't show up=no-show
  dig out of the trash=restore | dig up=find search | ditch=delete remove | divide=calculate
  divided by=divide calculate | dm them=send direct message | dm=send direct message
  do not forget=remember remind | do the math=calculate | do the maths=calculate | do they come back=retention
  don't forget=remember remind | done and dusted=complete close | dont forget=remember remind
  dotted line=sign signature document | down=incident outage status | drop a line=send message email
  drop me a mail=send email | drop the branch=delete branch | drop the meeting=delete event | drop=delete remove
  emoji on the message=reaction add | empty out=clear | erase=delete | extra time=override extension due
  figure out how much=calculate | file a bug=create issue | fill in for=override schedule
  fill in the form=type form browser | find a time=free time slots | fire a request at=http request | fire off=send
  fish out=restore trash | flush=purge cache clear | fold together=merge | for our eyes only=private note internal
  forget about me=delete gdpr erase | forget that=delete memory | freeze=archive suspend
  full-size=download original | get back to=reply | get back=restore | get hold of=call message find
  get into=search join access | get off the list=unsubscribe | get on the line=add participant call
  get out of bed=responder request incident page | get rid of=delete remove
  get signed=signature envelope create document | get the whole site=crawl | gist=summary | give a like=like
  give a nudge=reminder send | give a price=create estimate quote | give a ring=call phone
  give a seat=add member invite | give a shout=send message | give access=add permission collaborator invite
  give it a once over=review check validate | give me the rundown=summary list | give their money back=refund
  give to=assign | glue together=merge join | go live=publish deploy | go on leave=create time off request
  go through the roof=trends statistics | go to the page=navigate open page | gone for good=permanently delete
  google it=web search | got it on tape=recordings | grep=search files text
  half an hour later=reschedule update event | hand in=submission submit | hand over=assign transfer
  handed in=submission | hands off=protect lock | hang up=hangup call | heart=like reaction | hold its tongue=mute
  hold off=pause | holler when=create monitor alert | homework=assignment coursework | hook up=connect integration
  hooked up=connected integration | how big is=file info metadata size | how did they do=grades statistics scores
  how do i get to=directions route | how far=distance route | how full is it=quota usage storage
  how many eyeballs=visitors views report | how many=count | how much is left=balance quota credits
  how much is=calculate price | how much money do we have=balance get | how much space=quota storage
  how strong is=rating score domain | hunt down=find search | hush=mute | in stock=inventory level
  in the red=balance receivable | in writing=transcript | is called=get name | is history=close complete archive
  is it connected=status connection check | is it legit=verify validate check | is it taken=availability search
  is it up=status monitor uptime | is there room=availability storage quota | it's hanging=restart
  join the class=enrollment invite | jot down=create note | just for us=private permission internal note
  keep an eye on=watch monitor subscribe | keep in the know=add follower subscribe
  keep in the loop=add follower watcher | keep playing=resume playback | keep posted=add follower subscribe
  keep this for later=store bookmark set | kick it=restart | kick off=start launch create | kick out=remove member
  kill=cancel delete stop | knock off for today=stop timer time entry | laid out=create expense reimbursement
  landed=record payment create | last row=append values row | leave a remark=create comment
  leave it as a draft=draft create | leave me alone=snooze mute | leave to take=time off leave
  left the company=remove delete deactivate user | let in on=share add member | let in=add member invite
  let it ring again=unmute | let look at=share guest permission | let someone see=share permission
  let them know=send message notify | link to the message=permalink message | listen for=webhook create subscribe
  listen in=access call recording | lock out=suspend revoke block | lock the door on=suspend revoke
  log hours=create time entry | log it=create entry time | log on to the box=ssh execute command
  look online=web search | look up=find search get | looking for staff=create job offer | lose the=delete remove
  mail it to=send email | make a channel=create channel | make a folder=create directory folder
  make a note=create note | make it lighter=compress optimize | make it one=merge
  make it private=permission level visibility | make it sound like=voice speech
  make it talk=text speech dubbing translate | make one out of=merge | make smaller=compress optimize
  mark as read=update message read | marks=grade | merge it=merge pull request | minus=subtract calculate
  missed class=attendance record absent | moan about=search issues comments feedback | money back=refund payment
  move up=reschedule update | multiplied by=calculate | multiply=calculate | near me=nearby search places
  never forget=remember remind | never showed up=no-show invitee | new hire=create employee user
  new in the price list=create price product | no more emails=unsubscribe | nobody should touch=protect lock
  not forget=remember remind | note down=create note | nuke=delete | off the hook=hangup call
  off the menu=delete product | on average=mean average | on its way=fulfillment shipping
  on my plate=list assigned tasks cards | on record=create note recording | on the clock=running timer time entry
  on the shelf=inventory levels stock | only these pages=extract pages | open a pr=create pull request
  open a ticket=create ticket | out of my sight=archive | out of pocket=reimbursement expense
  page someone=incident create | parcel=shipment order | park=archive standby | pass along=forward message
  pass on=forward message | patch in=add participant call | pay link=payment link create
  pay off=revenue report values statistics | peek at=read get view | pencil in=create event
  pencil out=delete cancel event | percent of=percentage calculate | percentage of=calculate
  pic=image photo media | pick apart=extract parse analyze | pick up again=resume reopen | pin it=pin add
  ping=send message | plus=add calculate sum | point it somewhere else=update dns redirect link
  point the domain to=dns record create update | points at us=backlinks | post it in=post message channel
  post the json=http request post | postpone=reschedule update | price it up=create estimate quote
  price list=list items products | price of a product=price product | pull back=withdraw recall cancel
  pull in=add participant | pull off the page=scrape extract | pull someone in=responder request add participant
  pull the plug=stop delete cancel | pull up=get open | push back=reschedule update date
  push out=publish send deploy | put a label on=add label | put away=archive
  put down for=create time entry register | put in charge=assign owner | put in the draft folder=draft create
  put in the spreadsheet=append values spreadsheet | put in the window=publish product collection
  put it on disk=write file | put live=publish | put me on=assign add member | put off=reschedule update date
  put on hold=pause standby | put pen to paper=signature sign | put someone through=transfer call
  put their name to=sign signature | put through=transfer call | put to sleep=suspend archive close
  put together=merge create | put up the price=update price product | query the db=query database sql
  raise the alarm=create incident alert | read out=text speech | read the page=scrape content
  read the pdf=extract text document pdf | remember this=store memory set add | remind me=create task reminder
  rename the file=move file rename | rename to=update name title | reopen the issue=update issue
  ring back=call callback | ring=call phone | roll back=restore revert rollback | rough price=estimate quote
  run the command=shell execute command | run the script=execute run code | run this=execute run code
  running out of space=quota storage | same person twice=merge duplicate contacts | save for later=bookmark star
  save it as=write file create | say it out loud=text speech | say so=create comment post message
  say this in=text speech voice | say under it=create comment | say yes to=approve accept
  schedule the message=schedule message | scrap=delete cancel | send the bill=send invoice finalize
  send word=send message | set up a call=create meeting | settle up=payment record | shift the meeting=update event
  ship=deploy release | shoot an email=send email | shoot down=delete reject | shop=store
  shorten the link=short url create | shout in the channel=post channel message
  shout it from the rooftops=create announcement post | shout-out=kudos | show me=list get
  shut out=remove user suspend | shut shop=archive close | shut up=mute monitor alert | sign me in=login connect
  sign off=approve | sign up=create user register subscribe | silence=mute snooze
  slide into the dms=send direct message | snail mail=send letter postcard | snap the page=screenshot
  sold out=inventory stock | sorted=resolve close complete update | spelled wrong=update edit name
  split the bill=create expense split | spreadsheet tab=sheet worksheet add | square root=sqrt calculate
  squeeze in=create event free slots | stack up=list compare ranking | stand in for=override schedule reassign
  start charging=create subscription payment | start the clock=start timer time entry | status to busy=status set
  stick at the end=append | stick on=add label sticker attach | stick together=merge join
  still to do=list open tasks action items | stock take=inventory levels | stock up on=create purchase order
  stood me up=no-show invitee | stop bugging me=remove follower mute snooze | stop charging=cancel subscription
  stop mailing=unsubscribe | subtitles=captions subtitle | swap for=replace
  swap my shift=create schedule override | swap out=replace override update | switch off=disable deactivate
  switch on for some=feature flag update rollout | switch on=enable activate | tab=invoice expense
  tag a version=create release tag | take a look online=web search | take a shot of=screenshot
  take back=delete message revoke | take down=delete unpublish | take it back up=resume restart
  take off the list=remove list unsubscribe | take off=remove | take out=remove delete
  take the label off=remove label | take the payment=capture payment | takings=payments sales
  tell everyone=announcement post channel | tell my server=webhook create | text=send sms
  the money's in=create payment | the other day=recent list | the whole story=history stories events activity
  they paid=create payment update invoice | through the letterbox=send postcard letter
  through=complete done update | throw away=delete remove | throw off=remove member | throw out=delete remove
  throwaway address=disposable email | thumbs up=reaction like vote | tick off=complete close task
  time off=leave vacation request | times=multiply calculate | tl;dr=summary | too big to mail=compress optimize
  track down=find search | trash=delete | trim=delete page shorten | turn down=decline reject deny
  turn in=submission submit | turn off=disable deactivate | turn on=enable activate
  turn the doc into text=extract text document | typed up=transcript transcribe | umbrella=weather forecast rain
  undo everything since=restore branch revert | undo=revert restore undo | unread mail=list messages unread
  unzip=extract archive | up against=competitors | up front=deposit payment | vet someone=background check
  vid=video | wake it up=unarchive resume start | wake up someone=incident page create
  want the job=applications candidates | warn me=alert monitor notification
  watch this page=create monitor watcher | web page text=scrape content | weigh in=create comment
  what are they saying=list comments threads | what came in=list transactions payments orders
  what can you do=list tools | what changed between=compare commits diff | what did i tell you=recall search memory
  what did they say=transcript comments messages | what did we agree=transcript summary meeting
  what did we make=list payments sales | what do they click=events clicks top
  what do we owe=payable balance vendor report | what does my day look like=list events
  what does the page say=fetch page content | what happened=log activity history
  what tables are there=describe database schema list | what was it before=history versions revisions
  what went out=list transactions expenses | what's in the file=read file
  what's in the folder=list directory folder | what's it trading at=price quote stock
  what's left=list remaining balance | what's new=news list recent | what's on=list events calendar
  when am i free=free busy slots availability | when would we overlap=free busy query
  where do they drop off=funnel | where does it lead=redirect link get | which columns=describe schema fields
  who can see=permissions acl members | who changed=audit log | who fiddled with=history activity audit
  who is calling=phone number information | who is coming=list attendees | who is=get user
  who mailed me=list messages search | who opened it=audit events opens
  who owes us=receivable balance customer report | who should review=reviewers request
  who showed up=list participants | who touched=history activity audit | who turned up=list participants
  who works at=list persons organization employees | who wrote this line=commit blame history
  who's behind=enrich find lookup owner | who's got the pager=oncall list
  who's in the channel=list members channel | who's invited=attendees list | who's on call=oncall schedule list
  who's on=list members | will it bounce=verify email | wipe=delete clear erase | work it out=calculate
  work out=calculate | wrap as a present=update order note | write back=reply message | write down=create note
  write that up=create issue document note | write to=send message email | write up=create issue document note
  yesterday's version=versions promote restore | zip up=create archive`;

/** The same in other languages. */
export const foreignPhrases = `
  de:abbestellen=unsubscribe | de:abhaken=complete close | de:absagen=cancel delete
  de:abschmettern=reject decline | de:angebot=quote offer estimate | de:ankreuzen=complete check
  de:anlegen=create | de:auf eis legen=pause standby archive | de:aufgabe=task | de:auslegen=expense create
  de:bereitschaft=oncall schedule | de:bescheid geben=send message notify | de:bestellung=order
  de:draufgucken=get view review | de:draufpacken=add | de:durch alle teilen=split expense
  de:durch sein=complete close | de:eingegangen=payment record | de:einladen=invite add member
  de:einspringen=override schedule | de:eintragen=create add | de:festhalten=create note
  de:freigeben=share approve | de:freinehmen=create time off | de:geld zurück=refund
  de:hinterherlaufen=overdue reminder | de:hochladen=upload | de:hängt=restart stuck | de:in die tonne=delete
  de:in rechnung stellen=create invoice | de:in ruhe lassen=mute snooze | de:ins netz stellen=publish
  de:kopie machen=duplicate copy | de:kostenvoranschlag=estimate quote | de:kracht=error issue crash
  de:krankgemeldet=absence time off | de:löschen=delete | de:nachgucken=get search find
  de:nachhaken=reminder follow-up | de:notiz machen=create note | de:offen haben=open list unpaid
  de:online stellen=publish | de:ordner=folder | de:ranhängen=attach attachment | de:rauskicken=remove member
  de:rausnehmen=remove | de:raussuchen=search find | de:rauswerfen=remove member | de:rechnung=invoice
  de:reinlassen=invite add permission | de:resturlaub=absence balance | de:ruhe geben=mute snooze
  de:rüberziehen=move | de:sperren=suspend lock protect | de:stilllegen=deactivate archive | de:stumm schalten=mute
  de:tabelle=spreadsheet table | de:termin=appointment event | de:umhängen=move assign | de:umtaufen=update name
  de:urlaub=vacation time off leave | de:verbuchen=record payment create | de:verschieben=move reschedule update
  de:was steht an=list events tasks | de:wegschmeißen=delete | de:wer hat dienst=oncall schedule
  de:wieder anschalten=enable unmute resume | de:zusammenlegen=merge | es:a medias=split expense
  es:anular=cancel void | es:aplazar=reschedule update | es:apuntar=create note task
  es:avisar=send message notify | es:avísame si=alert monitor notification | es:bajar=download | es:borrar=delete
  es:carpeta=folder | es:cerrar el chiringuito=archive close | es:chivar=notify message | es:cita=appointment event
  es:cliente=customer | es:cobrar=create invoice payment | es:colgar=publish upload hangup | es:compartir=share
  es:cuadrar la agenda=free busy query | es:curro=job work | es:currículum=candidate
  es:cuánto cuesta=price quote cost | es:cuánto queda=balance quota | es:dar de alta=create register
  es:dar de baja=unsubscribe delete deactivate | es:dar permiso=share permission add
  es:dar plantón=no-show invitee | es:dar por hecho=complete close | es:darle una vuelta=update review
  es:deberes=coursework assignment | es:dejar un comentario=create comment | es:devolver el dinero=refund
  es:echar abajo=delete cancel | es:echar cuentas=aggregate report balance | es:echar del grupo=remove member
  es:echarle un ojo=get monitor | es:estar al día=status updates | es:factura=invoice | es:fichar=start time entry
  es:firmar=sign signature envelope | es:hacer hueco=free slots create event | es:hoja=sheet | es:juntar=merge
  es:mandar=send | es:meter en el grupo=add member | es:nota media=grade statistics
  es:pasar a cobro=create invoice | es:pasar a limpio=create document | es:pasar de=ignore mute skip
  es:pedido=order | es:pegar un toque=call message send | es:poner al día=update
  es:poner en el calendario=create event | es:poner otro título=update rename | es:ponerle nombre=update name
  es:ponerlo en pausa=pause standby | es:ponerse con=start timer | es:posponer=reschedule update
  es:presupuesto=quote estimate budget | es:quedar con=create event meeting | es:quedarse sin=inventory stock quota
  es:quitar=remove delete | es:quién está de guardia=oncall list | es:retuitear=retweet post
  es:sacar una copia=duplicate copy | es:se ha caído=incident outage status | es:subir=upload
  es:tachar=complete close | es:tarea=task | es:tirar=delete | es:trocear=split subtask | es:tumbar=delete stop
  fr:ajouter quelqu'un=add member invite | fr:annuler=cancel | fr:avancer l'argent=expense create
  fr:balancer=send move delete | fr:boîte=company | fr:c'est bouclé=complete close | fr:c'est plié=complete close
  fr:caler un créneau=create event | fr:cocher=complete close | fr:coller à quelqu'un=assign
  fr:combien de temps=duration time route | fr:commande=order | fr:couper le son=mute | fr:devis=quote estimate
  fr:donner accès=share permission add | fr:donner son avis=comment feedback | fr:donner un coup de jeune=update
  fr:dossier=folder | fr:décaler=reschedule update | fr:désabonner=unsubscribe | fr:embaucher=create job employee
  fr:enlever=remove | fr:enregistrement=recording | fr:facture=invoice | fr:faire la facture=create invoice
  fr:faire le ménage=clear delete archive | fr:faire taire=mute | fr:faire un double=duplicate copy
  fr:fiche=record contact card | fr:filer=send share give | fr:il est où=fulfillment search find
  fr:il reste combien=balance quota count | fr:laisser tomber=delete cancel
  fr:laisser un commentaire=create comment | fr:mettre de côté=archive standby bookmark
  fr:mettre en ligne=publish | fr:mettre en pause=pause | fr:mettre un mot=comment note | fr:mettre à jour=update
  fr:noter=create note | fr:partager l'addition=split expense | fr:poser un jour=create time off
  fr:poser un lapin=no-show invitee | fr:postuler=application candidate | fr:prévenir=send message notify
  fr:qui est d'astreinte=oncall list | fr:relancer=reminder restart deploy | fr:rembourser=refund
  fr:remettre en marche=resume enable | fr:remettre à=reschedule update | fr:rendez-vous=appointment event
  fr:rendre une copie=submission | fr:reporter=reschedule update | fr:sortir du groupe=remove member
  fr:supprimer=delete | fr:tableau=board table | fr:tâche=task | fr:virer=remove delete
  fr:ça plante=error issue crash | fr:ça rame=restart performance | fr:être dispo=free busy slots
  fr:être à la bourre=overdue late | it:appuntamento=appointment event | it:avvisare=send message notify
  it:buttare via=delete | it:cancellare=delete cancel | it:caricare=upload | it:cartella=folder
  it:chi è di turno=oncall schedule | it:condividere=share | it:consegnare=submission submit
  it:dare buca=no-show invitee | it:dare un'occhiata=get view | it:disiscrivere=unsubscribe
  it:emettere fattura=create invoice | it:essere reperibile=oncall schedule
  it:fare firmare=signature send document | it:fare fuori=delete remove | it:fare una copia=duplicate copy
  it:fattura=invoice | it:ferie=vacation time off leave | it:fissare una call=create meeting
  it:incassare=payment record | it:invitare=invite add member | it:lasciare un commento=create comment
  it:levare di mezzo=delete remove | it:mandare=send | it:mettere in pausa=pause | it:mettere online=publish
  it:non va=error issue restart | it:ordine=order | it:pagare alla romana=split expense
  it:passare a qualcuno=assign transfer | it:prendere ferie=create time off | it:preventivo=quote estimate
  it:rimborsare=refund | it:scaricare=download | it:scheda=card record | it:segnare=create note log
  it:spostare=move reschedule update | it:spuntare=complete close | it:tenere d'occhio=monitor watch
  it:togliere=remove | it:zittire=mute | ja:いくら残ってる=balance quota | ja:しまっておいて=archive | ja:ずらして=reschedule update
  ja:つぶやく=create post tweet | ja:まとめて=merge summary | ja:コピーして=duplicate copy | ja:コメントして=create comment
  ja:ゴミ箱=trash | ja:メモして=create note | ja:予定=calendar event | ja:予約=appointment booking reservation
  ja:代わってもらう=override schedule | ja:休み取りたい=create time off | ja:入れといて=create add | ja:入金=payment record
  ja:公開=publish | ja:共有=share | ja:再開=resume reopen | ja:削除=delete | ja:割り勘=split expense | ja:取り消す=cancel
  ja:受注=deal won update | ja:回して=assign forward | ja:固まってる=restart stuck | ja:在庫=inventory levels
  ja:外して=remove member | ja:失注=deal lost update | ja:完了にして=complete close | ja:差し替え=replace update
  ja:廃番=delete product | ja:延期=reschedule update | ja:当番=oncall | ja:応募=application candidate
  ja:戻して=restore revert | ja:担当を変えて=assign update | ja:招待=invite add member | ja:提出=submission submit
  ja:文字起こし=transcript | ja:有給=vacation leave time off | ja:止めて=stop pause | ja:注文=order | ja:消して=delete remove
  ja:登録して=create register | ja:直して=update edit fix | ja:知らせて=send message notify | ja:空いてる=free availability slots
  ja:立て替えた=expense create | ja:署名=signature sign | ja:落ちてる=error crash issue | ja:見積=quote estimate
  ja:読み上げて=text speech | ja:課題=assignment issue | ja:調べて=search get | ja:請求書=invoice | ja:返金=refund | ja:送って=send
  ja:配信停止=unsubscribe | ja:黙らせて=mute snooze | nl:aanzetten=enable activate | nl:afspraak=appointment event
  nl:afvinken=complete close | nl:afzeggen=cancel | nl:bestelling=order | nl:binnen=won payment update
  nl:delen=share | nl:dempen=mute | nl:dienst hebben=oncall | nl:doorschuiven=move reschedule
  nl:een kopie maken=duplicate copy | nl:eraf halen=remove delete | nl:eruit gooien=remove delete
  nl:eruit halen=remove | nl:factuur=invoice | nl:geld terug=refund | nl:hoeveel blijft er over=balance quota
  nl:in de gaten houden=monitor watch subscribe | nl:invallen=override schedule | nl:klaarzetten=create schedule
  nl:laten weten=send message notify | nl:live zetten=publish | nl:map=folder
  nl:niet op komen dagen=no-show invitee | nl:noteren=create note | nl:offerte=quote estimate
  nl:ondertekenen=sign signature | nl:ontvolgen=unfollow | nl:op naam zetten=assign update
  nl:op pauze zetten=pause | nl:op slot=suspend lock | nl:opmerking plaatsen=create comment
  nl:opschrijven=create note | nl:samen delen=split expense | nl:taak=task | nl:te laat mee=overdue
  nl:uitnodigen=invite add member | nl:uitschrijven=unsubscribe | nl:uitzetten=disable mute
  nl:vacature=job posting offer | nl:verwijderen=delete remove | nl:verzetten=reschedule update
  nl:voorgeschoten=expense create | nl:vrij nemen=create time off | nl:wat staat er open=list open
  nl:weggooien=delete | pt:adiar=reschedule update | pt:anotar=create note | pt:apagar=delete
  pt:avisar=send message notify | pt:baixar=download | pt:bater ponto=start time entry
  pt:botar no grupo=add member | pt:cair na conta=payment record | pt:chamado=ticket | pt:cobrar de=create invoice
  pt:colocar em espera=pause standby | pt:convidar=invite add member | pt:curtir=like
  pt:dar baixa=create payment close | pt:dar fim=delete | pt:dar um jeito=update fix | pt:dar uma olhada=get list
  pt:desmarcar=cancel event | pt:devolver o dinheiro=refund | pt:fatura=invoice | pt:fechar negócio=update deal won
  pt:ficar de olho=monitor watch subscribe | pt:folga=time off request | pt:furar=no-show invitee
  pt:jogar fora=delete | pt:lançar horas=create time entry | pt:liberar acesso=share permission add
  pt:mandar embora=suspend delete user | pt:mandar mensagem=send message | pt:marcar reunião=create meeting event
  pt:nota fiscal=invoice | pt:orçamento=quote estimate budget | pt:passar pra=assign transfer forward
  pt:pasta=folder | pt:pedido=order | pt:planilha=spreadsheet | pt:plantão=oncall | pt:quebrou=error incident
  pt:rachar a conta=split expense | pt:subir=upload deploy | pt:tarefa de casa=coursework assignment
  pt:tirar do grupo=remove member | pt:tirar uma cópia=duplicate copy | pt:tirar=remove
  pt:tá fora do ar=incident outage status | zh:上架=create product | zh:上线=publish deploy
  zh:下架=delete product unpublish | zh:交作业=submission | zh:任务=task | zh:值班=oncall | zh:停掉=stop pause | zh:分给=assign
  zh:划掉=complete close | zh:删掉=delete | zh:到账=payment record | zh:卡住了=restart stuck | zh:去掉=remove
  zh:发推=create post tweet | zh:发票=invoice | zh:取消=cancel | zh:合并=merge | zh:垫付=expense create
  zh:复制一份=duplicate copy | zh:崩了=error issue crash | zh:平摊=split expense | zh:年假=vacation leave time off
  zh:开票=create invoice | zh:弄完了=complete close | zh:恢复=restore resume | zh:抓下来=scrape download
  zh:投简历=application candidate | zh:报价=quote | zh:拆成=subtask split | zh:拉进群=add member | zh:捞回来=restore
  zh:撤回=delete message recall | zh:改到=reschedule update | zh:改名=rename update | zh:放鸽子=no-show invitee
  zh:文件夹=folder | zh:日程=calendar events schedule | zh:查一下=search get | zh:欠款=balance receivable
  zh:爽约=no-show invitee | zh:留言=create comment | zh:盯着=monitor watch | zh:离职=suspend remove user
  zh:签字=sign signature | zh:约=create event meeting | zh:表格=spreadsheet table | zh:订单=order | zh:记一下=create note
  zh:请假=leave vacation request | zh:踢出去=remove member | zh:还剩多少=balance quota | zh:退款=refund | zh:退订=unsubscribe
  zh:退钱=refund | zh:通知大家=announcement send message | zh:邀请=invite add member | zh:静音=mute snooze
  zh:顶班=override schedule`;

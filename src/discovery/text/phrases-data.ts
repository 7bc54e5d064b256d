/**
 * Everyday phrases and what APIs say for them, from `scripts/discovery/lexicon.json`: written by
 * `node scripts/discovery/write-phrases.js`, so change it there.
 */
export const everydayPhrases = `
  acting up=error incident issue | answer=reply response | any news=news search
  as text=transcript captions extract | axe=delete cancel | be forgotten=delete gdpr erase
  bill someone=create invoice | bills=invoices bill | bin=delete trash | blocked by=dependency
  blowing up=error issue incident | boil down=summary | book=create appointment reservation event
  bookmark=star bookmark favorite | boot=remove member | break down=subtask split
  bring back=restore undelete reopen | buy more=purchase order | call off=cancel delete
  can't make it=cancel decline remove attendee | can't start until=dependency | carry on=resume
  cash in=payment payout | chase=reminder follow-up | check off=complete close task | chime in=create comment
  chuck out=delete | clear out=clear delete | clock in=start time entry | clock off=stop timer time entry
  clone=duplicate copy | copy of=duplicate copy clone | cover my shift=schedule override
  cross off=complete close task | days off=leave vacation balance | deck=presentation slides
  didn't show up=no-show | dig up=find search | ditch=delete remove | dm=send direct message
  down=incident outage status | drop a line=send message email | drop=delete remove | empty out=clear
  erase=delete | file a bug=create issue | fire off=send | flush=purge cache clear | fold together=merge
  forget about me=delete gdpr erase | freeze=archive suspend | full-size=download original | get back to=reply
  get back=restore | get off the list=unsubscribe | get rid of=delete remove
  get signed=signature envelope create document | give a like=like | give a nudge=reminder send
  give a price=create estimate quote | give a ring=call phone | give a seat=add member invite
  give access=add permission collaborator invite | give me the rundown=summary list | give their money back=refund
  give to=assign | go live=publish deploy | hand in=submission submit | hand over=assign transfer
  handed in=submission | hang up=hangup call | heart=like reaction | hold off=pause
  homework=assignment coursework | how do i get to=directions route | how far=distance route | how many=count
  how much is left=balance quota credits | how much space=quota storage | hunt down=find search
  in stock=inventory level | is it up=status monitor uptime | jot down=create note
  keep an eye on=watch monitor subscribe | keep in the loop=add follower watcher | keep playing=resume playback
  kick out=remove member | kill=cancel delete stop | leave a remark=create comment | leave me alone=snooze mute
  left the company=remove delete deactivate user | let in on=share add member | let in=add member invite
  let someone see=share permission | let them know=send message notify | listen in=access call recording
  lock out=suspend revoke block | log hours=create time entry | log it=create entry time | look up=find search get
  make a note=create note | make it one=merge | make it sound like=voice speech | make smaller=compress optimize
  marks=grade | money back=refund payment | move up=reschedule update | near me=nearby search places
  new hire=create employee user | no more emails=unsubscribe | note down=create note | nuke=delete
  on its way=fulfillment shipping | on my plate=list assigned tasks cards | open a ticket=create ticket
  page someone=incident create | parcel=shipment order | park=archive standby | pass on=forward message
  pencil in=create event | pic=image photo media | pick up again=resume reopen | ping=send message
  point the domain to=dns record create update | postpone=reschedule update | pull in=add participant
  pull up=get open | push back=reschedule update date | push out=publish send deploy | put away=archive
  put in charge=assign owner | put live=publish | put me on=assign add member | put off=reschedule update date
  put on hold=pause standby | put pen to paper=signature sign | put through=transfer call
  put together=merge create | read out=text speech | remind me=create task reminder | ring back=call callback
  ring=call phone | roll back=restore revert rollback | rough price=estimate quote
  same person twice=merge duplicate contacts | save for later=bookmark star | say yes to=approve accept
  scrap=delete cancel | set up a call=create meeting | ship=deploy release | shoot an email=send email | shop=store
  shout-out=kudos | show me=list get | shut up=mute monitor alert | sign off=approve
  sign up=create user register subscribe | silence=mute snooze | slide into the dms=send direct message
  sold out=inventory stock | split the bill=create expense split | spreadsheet tab=sheet worksheet add
  start the clock=start timer time entry | stick on=add label sticker attach | stick together=merge join
  still to do=list open tasks action items | stock up on=create purchase order | stop mailing=unsubscribe
  subtitles=captions subtitle | swap my shift=create schedule override | switch off=disable deactivate
  switch on=enable activate | tab=invoice expense | take down=delete unpublish
  take off the list=remove list unsubscribe | take off=remove | take out=remove delete | takings=payments sales
  tell everyone=announcement post channel | text=send sms | the money's in=create payment
  the other day=recent list | they paid=create payment update invoice | throw away=delete remove
  throw out=delete remove | thumbs up=reaction like vote | tick off=complete close task
  time off=leave vacation request | tl;dr=summary | track down=find search | trash=delete
  trim=delete page shorten | turn down=decline reject deny | turn off=disable deactivate | turn on=enable activate
  umbrella=weather forecast rain | undo=revert restore undo | vid=video | wake up someone=incident page create
  warn me=alert monitor notification | watch this page=create monitor watcher | web page text=scrape content
  weigh in=create comment | what did they say=transcript comments messages
  what did we agree=transcript summary meeting | what do we owe=payable balance vendor report
  what happened=log activity history | what's it trading at=price quote stock | what's left=list remaining balance
  what's new=news list recent | what's on=list events calendar | when am i free=free busy slots availability
  who changed=audit log | who is coming=list attendees | who is=get user | who opened it=audit events opens
  who owes us=receivable balance customer report | who showed up=list participants
  who turned up=list participants | who works at=list persons organization employees
  who's on call=oncall schedule list | who's on=list members | wipe=delete clear erase | write back=reply message
  write down=create note | write to=send message email | write up=create issue document note`;

/** The same in other languages. */
export const foreignPhrases = `
  de:abbestellen=unsubscribe | de:abhaken=complete close | de:absagen=cancel delete
  de:angebot=quote offer estimate | de:ankreuzen=complete check | de:anlegen=create
  de:auf eis legen=pause standby archive | de:aufgabe=task | de:bereitschaft=oncall schedule
  de:bescheid geben=send message notify | de:bestellung=order | de:einladen=invite add member
  de:eintragen=create add | de:freigeben=share approve | de:geld zurück=refund | de:hochladen=upload
  de:in ruhe lassen=mute snooze | de:kopie machen=duplicate copy | de:kostenvoranschlag=estimate quote
  de:löschen=delete | de:nachhaken=reminder follow-up | de:notiz machen=create note | de:ordner=folder
  de:rausnehmen=remove | de:rauswerfen=remove member | de:rechnung=invoice | de:stilllegen=deactivate archive
  de:tabelle=spreadsheet table | de:termin=appointment event | de:urlaub=vacation time off leave
  de:verschieben=move reschedule update | de:was steht an=list events tasks | de:wegschmeißen=delete
  de:wer hat dienst=oncall schedule | de:wieder anschalten=enable unmute resume | de:zusammenlegen=merge
  es:anular=cancel void | es:aplazar=reschedule update | es:apuntar=create note task
  es:avisar=send message notify | es:avísame si=alert monitor notification | es:bajar=download | es:borrar=delete
  es:carpeta=folder | es:cita=appointment event | es:cliente=customer | es:compartir=share
  es:cuánto cuesta=price quote cost | es:cuánto queda=balance quota | es:dar de alta=create register
  es:dar de baja=unsubscribe delete deactivate | es:dar permiso=share permission add
  es:dejar un comentario=create comment | es:devolver el dinero=refund | es:echar del grupo=remove member
  es:echarle un ojo=get monitor | es:factura=invoice | es:hoja=sheet | es:juntar=merge | es:mandar=send
  es:pasar a limpio=create document | es:pedido=order | es:poner en el calendario=create event
  es:poner otro título=update rename | es:ponerlo en pausa=pause standby | es:posponer=reschedule update
  es:presupuesto=quote estimate budget | es:quedar con=create event meeting | es:quitar=remove delete
  es:quién está de guardia=oncall list | es:sacar una copia=duplicate copy | es:subir=upload
  es:tachar=complete close | es:tarea=task | es:tirar=delete | fr:ajouter quelqu'un=add member invite
  fr:annuler=cancel | fr:cocher=complete close | fr:combien de temps=duration time route | fr:commande=order
  fr:devis=quote estimate | fr:donner accès=share permission add | fr:dossier=folder | fr:décaler=reschedule update
  fr:désabonner=unsubscribe | fr:enlever=remove | fr:facture=invoice | fr:faire un double=duplicate copy
  fr:il reste combien=balance quota count | fr:laisser un commentaire=create comment | fr:mettre en ligne=publish
  fr:mettre en pause=pause | fr:mettre à jour=update | fr:noter=create note | fr:prévenir=send message notify
  fr:qui est d'astreinte=oncall list | fr:relancer=reminder restart deploy | fr:rembourser=refund
  fr:remettre en marche=resume enable | fr:remettre à=reschedule update | fr:rendez-vous=appointment event
  fr:reporter=reschedule update | fr:supprimer=delete | fr:tableau=board table | fr:tâche=task
  fr:virer=remove delete | it:appuntamento=appointment event | it:avvisare=send message notify
  it:buttare via=delete | it:cancellare=delete cancel | it:caricare=upload | it:cartella=folder
  it:chi è di turno=oncall schedule | it:condividere=share | it:disiscrivere=unsubscribe
  it:fare una copia=duplicate copy | it:fattura=invoice | it:ferie=vacation time off leave
  it:invitare=invite add member | it:lasciare un commento=create comment | it:mandare=send
  it:mettere in pausa=pause | it:ordine=order | it:preventivo=quote estimate | it:rimborsare=refund
  it:scaricare=download | it:scheda=card record | it:segnare=create note log | it:spostare=move reschedule update
  it:spuntare=complete close | it:togliere=remove | ja:いくら残ってる=balance quota | ja:コピーして=duplicate copy
  ja:コメントして=create comment | ja:メモして=create note | ja:予定=calendar event | ja:予約=appointment booking reservation
  ja:公開=publish | ja:共有=share | ja:再開=resume reopen | ja:削除=delete | ja:割り勘=split expense | ja:取り消す=cancel
  ja:完了にして=complete close | ja:延期=reschedule update | ja:当番=oncall | ja:戻して=restore revert
  ja:担当を変えて=assign update | ja:招待=invite add member | ja:有給=vacation leave time off | ja:止めて=stop pause
  ja:注文=order | ja:消して=delete remove | ja:登録して=create register | ja:直して=update edit fix
  ja:知らせて=send message notify | ja:空いてる=free availability slots | ja:見積=quote estimate | ja:課題=assignment issue
  ja:調べて=search get | ja:請求書=invoice | ja:返金=refund | ja:送って=send | ja:配信停止=unsubscribe | ja:黙らせて=mute snooze
  nl:aanzetten=enable activate | nl:afspraak=appointment event | nl:afvinken=complete close | nl:afzeggen=cancel
  nl:bestelling=order | nl:delen=share | nl:dienst hebben=oncall | nl:een kopie maken=duplicate copy
  nl:eruit halen=remove | nl:factuur=invoice | nl:geld terug=refund | nl:hoeveel blijft er over=balance quota
  nl:laten weten=send message notify | nl:map=folder | nl:noteren=create note | nl:offerte=quote estimate
  nl:ontvolgen=unfollow | nl:op pauze zetten=pause | nl:opmerking plaatsen=create comment | nl:taak=task
  nl:uitnodigen=invite add member | nl:uitschrijven=unsubscribe | nl:uitzetten=disable mute
  nl:vacature=job posting offer | nl:verwijderen=delete remove | nl:verzetten=reschedule update
  nl:wat staat er open=list open | nl:weggooien=delete | pt:adiar=reschedule update | pt:anotar=create note
  pt:apagar=delete | pt:avisar=send message notify | pt:baixar=download | pt:chamado=ticket
  pt:colocar em espera=pause standby | pt:convidar=invite add member | pt:curtir=like
  pt:dar baixa=create payment close | pt:dar uma olhada=get list | pt:desmarcar=cancel event
  pt:devolver o dinheiro=refund | pt:fatura=invoice | pt:lançar horas=create time entry
  pt:liberar acesso=share permission add | pt:mandar mensagem=send message | pt:marcar reunião=create meeting event
  pt:nota fiscal=invoice | pt:orçamento=quote estimate budget | pt:pasta=folder | pt:pedido=order
  pt:planilha=spreadsheet | pt:plantão=oncall | pt:subir=upload deploy | pt:tirar uma cópia=duplicate copy
  pt:tirar=remove | zh:上线=publish deploy | zh:任务=task | zh:值班=oncall | zh:停掉=stop pause | zh:分给=assign
  zh:删掉=delete | zh:去掉=remove | zh:发票=invoice | zh:取消=cancel | zh:合并=merge | zh:复制一份=duplicate copy
  zh:年假=vacation leave time off | zh:弄完了=complete close | zh:恢复=restore resume | zh:抓下来=scrape download
  zh:报价=quote | zh:改到=reschedule update | zh:改名=rename update | zh:文件夹=folder | zh:日程=calendar events schedule
  zh:查一下=search get | zh:留言=create comment | zh:约=create event meeting | zh:表格=spreadsheet table | zh:订单=order
  zh:记一下=create note | zh:请假=leave vacation request | zh:还剩多少=balance quota | zh:退款=refund | zh:退订=unsubscribe
  zh:退钱=refund | zh:通知大家=announcement send message | zh:邀请=invite add member | zh:静音=mute snooze`;

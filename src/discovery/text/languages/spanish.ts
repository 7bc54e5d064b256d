/** Spanish verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const spanish: LanguageData = {
  functions: `
    the el la los las lo, a un una unos unas, of de del, in en, to a al hacia, for para por, with con, from desde, and y e,
    or o, then luego despues entonces, my mi mis, our nuestro nuestra nuestros nuestras, this este esta esto, these estos
    estas, that que ese esa eso aquel aquella, all todos todas todo toda, me me, i yo, is es esta son hay, not no ni, if si,
    about sobre acerca, between entre, without sin, what que_es cual cuales, who quien quienes, when cuando, how como,
    where donde, your tu tus su sus, please por_favor, want quiero quisiera necesito queria deseo puedes podrias puede
    podria debes tienes tengo, it se le les nos, also tambien ademas, by mediante, until hasta, now ya ahora hay_que tenemos va ha favor señor señora, only solo solamente,
    more mas, how_many cuantos cuantas cuanto cuanta, be ser estar estan era, at las,
    but pero, very muy, he el_mismo ella ellos ellas, no nada, here aqui ahi alli, same mismo misma, so siempre, have
    han hemos habia, was fue eran estaba estoy, each cada, who alguien nadie, so bien, before antes, after despues_de,
    me dale dile hazme dame, why por_que`,
  verbs: `
    create preparar, create crear generar armar montar, add agregar añadir sumar incluir meter, delete borrar eliminar suprimir, remove
    quitar sacar retirar, update actualizar modificar editar corregir, change cambiar cambie, rename renombrar
    cambiar_el_nombre, set poner pon ponga ponme establecer fijar definir configurar, send enviar mandar envia, reply
    responder contestar, forward reenviar, show mostrar muestra muestrame muestreme enseñar ensename ver ve veo mirar
    visualizar, get obtener obten obtener consultar recuperar traer traeme dame deme dar consigue conseguir sacame saber
    conocer, list listar enumerar lista, search buscar busca busque, find encontrar encuentra encuentre encuentrame
    localizar hallar, open abrir abre abra, read leer lee lea, download descargar bajar bajate descarga, upload subir cargar
    sube suba, export exportar, import importar, move mover mueve mueva pasar trasladar, copy copiar copia, duplicate
    duplicar, share compartir, invite invitar, assign asignar, close cerrar cierra cierre, complete completar terminar
    finalizar acabar, mark marcar marque, cancel cancelar anular, archive archivar, restore restaurar recuperar, publish
    publicar publique, post postear, schedule programar planificar agendar agenda, reschedule reprogramar posponer pospon
    aplazar aplace retrasar, start iniciar empezar empieza comenzar comienza arrancar lanzar, stop detener deten parar,
    pause pausar, resume reanudar, run ejecutar correr, enable activar habilitar encender enciende, disable desactivar
    deshabilitar apagar, approve aprobar aprueba, reject rechazar, accept aceptar, merge fusionar combinar unir, lock
    bloquear, unlock desbloquear, subscribe suscribir, unsubscribe desuscribir, follow seguir sigue siga, unfollow
    dejar_de_seguir, like gustar, pay pagar pague, charge cobrar, refund reembolsar devolver devuelve devuelva, buy comprar,
    order pedir pide pida encargar, book reservar, check comprobar comprueba revisar, verify verificar validar, count
    contar, calculate calcular, convert convertir convierte convierta, translate traducir traduce traduzca traduceme,
    summarize resumir resume resuma, compare comparar, analyze analizar, write escribir redactar, save guardar grabar,
    attach adjuntar, block bloquear, notify notificar avisar avisa, remind recordar recuerdame recuerda, connect conectar,
    disconnect desconectar, sync sincronizar, track rastrear seguir_la_pista, record registrar anotar apuntar apunta, call
    llamar, ask preguntar, sign firmar, print imprimir, play reproducir reproduce tocar, mute silenciar, pin fijar,
    sort ordenar, filter filtrar, replace reemplazar sustituir, clear limpiar vaciar, leave salir abandonar, join unirse,
    deploy desplegar despliega, build construir compilar, test probar prueba, scan escanear, extract extraer extrae,
    transcribe transcribir, draw dibujar, resize redimensionar, compress comprimir, submit presentar, describe describir,
    explain explicar, log registrar, tag etiquetar, comment comentar, review revisar, link vincular enlazar, hide ocultar,
    reset restablecer reiniciar, retry reintentar, split dividir, transfer transferir, suspend suspender, revoke revocar,
    grant conceder otorgar, crop recortar, predict predecir, solve resolver resuelve, browse navegar, visit visitar,
    fetch traer, evaluate evaluar evalua, multiply multiplicar, divide dividir, round redondear,
    create dar_de_alta da_de_alta darse_de_alta, win ganar gano, lose perder perdio, sell vender vendido, forget
    olvidar, fix arreglar reparar, rent alquilar arrendar, hire contratar, delete tirar tira quitalo, add anadele,
    deliver entregar, sign firma`,
  nouns: `
    email correo correos mail correo_electronico, inbox bandeja bandeja_de_entrada buzon, message mensaje mensajes,
    channel canal canales, conversation conversacion, chat charla, thread hilo, reply respuesta, draft borrador, attachment
    adjunto archivo_adjunto, label etiqueta, folder carpeta directorio, file archivo fichero, document documento, page
    pagina, note nota, notebook cuaderno libreta, task tarea pendiente, subtask subtarea, list lista listado, project
    proyecto, board tablero, card tarjeta, column columna, checklist lista_de_control, comment comentario, mention mencion,
    reaction reaccion, issue incidencia, ticket tique, bug error fallo, repository repositorio, branch rama, commit
    confirmacion, pull_request solicitud_de_extraccion, release lanzamiento version, code codigo, workflow flujo
    flujo_de_trabajo, pipeline canalizacion, build compilacion, deployment despliegue implementacion, environment entorno,
    variable variable, secret secreto, key clave llave, event evento, calendar calendario, meeting reunion junta,
    appointment cita, reminder recordatorio, invitation invitacion, attendee asistente asistentes invitado participante,
    availability disponibilidad huecos, schedule horario agenda, contact contacto, customer cliente clientes, company
    empresa compañia, organization organizacion, lead prospecto, deal trato negocio negociacion, opportunity oportunidad,
    quote presupuesto cotizacion, order pedido pedidos orden encargo, cart carrito, product producto, item articulo
    elemento, price precio, discount descuento, coupon cupon, inventory inventario existencias, shipment envio, package
    paquete, address direccion, store tienda, invoice factura facturas, payment pago pagos cobro, refund reembolso
    devolucion, subscription suscripcion, plan plan, balance saldo, account cuenta cuentas, transaction transaccion
    movimiento, transfer transferencia, receipt recibo, expense gasto gastos, budget presupuesto_anual, tax impuesto, credit
    credito, dispute disputa, vendor proveedor, employee empleado trabajador, candidate candidato, job empleo trabajo
    puesto, application solicitud, vacation vacaciones, leave permiso baja ausencia, payroll nomina, salary sueldo salario,
    shift turno, team equipo, member miembro integrante, user usuario usuarios, group grupo, role rol papel, permission
    permisos, access acceso, password contraseña, profile perfil, photo foto fotografia, image imagen, video video
    videos, audio audio, song cancion, playlist lista_de_reproduccion, album album, artist artista, recording grabacion,
    transcript transcripcion, translation traduccion, language idioma lengua, text texto, summary resumen, report informe
    reporte, chart grafico grafica, dashboard panel, statistics estadistica estadisticas, metric metrica, analysis analisis,
    spreadsheet hoja_de_calculo, sheet hoja, row fila, cell celda, table tabla, database base_de_datos, record registro,
    field campo, value valor, query consulta, form formulario, survey encuesta, response respuestas, question pregunta,
    template plantilla, campaign campaña, audience audiencia publico, segment segmento, subscriber suscriptor, newsletter
    boletin, post publicacion entrada, article articulo_de_blog, story historia, follower seguidor, website sitio web
    sitio_web, page pagina_web, domain dominio, link enlace vinculo, url direccion_web, result resultado, news noticia
    noticias, weather tiempo clima, forecast pronostico prevision, temperature temperatura, map mapa, location ubicacion
    lugar, city ciudad, country pais, route ruta, distance distancia, flight vuelo, hotel hotel, reservation reserva
    reservacion, ride viaje, restaurant restaurante, menu menu, review reseña, rating valoracion calificacion, stock
    accion_de_bolsa, currency moneda divisa, exchange_rate tipo_de_cambio, number numero, sum suma, percentage porcentaje,
    date fecha, time hora, timezone zona_horaria, duration duracion, day dia, week semana, month mes, year año, today hoy,
    tomorrow mañana, yesterday ayer, timer temporizador cronometro, log bitacora, error error, alert alerta, incident
    incidente, status estado, monitor monitor, server servidor, backup copia_de_seguridad respaldo, space espacio, storage
    almacenamiento, device dispositivo, sensor sensor, light luz luces, phone telefono movil, call llamada, voicemail
    buzon_de_voz, sms mensaje_de_texto, notification notificacion aviso, settings ajustes configuracion preferencias,
    version versiones, history historial, change cambios, copy copias, name nombre, title titulo, description descripcion,
    category categoria, priority prioridad, deadline plazo fecha_limite, owner propietario dueño responsable, stage etapa
    fase, goal objetivo meta, milestone hito, workspace espacio_de_trabajo, drive unidad, signature firma, contract
    contrato, envelope sobre_de_firma, student alumno estudiante, course curso asignatura, class clase, grade calificaciones
    nota_final, assignment deberes, lesson leccion, recipe receta, book libro, chapter capitulo, definition definicion, word
    palabra, game juego partido, patient paciente, property propiedad inmueble, house casa, car coche auto, vehicle
    vehiculo, driver conductor, delivery entrega reparto, new nuevo nueva nuevos nuevas, last ultimo ultima ultimos
    ultimas, next proximo proxima, open abiertas abiertos, unread no_leidos sin_leer, old viejo vieja antiguo, free libre,
    person persona personas gente, people gente, activity actividad, request peticion, response respuesta_http, data datos,
    tool herramienta, warehouse almacen, ad anuncio, click clic, view vista, keyword palabra_clave, purchase compra, sale
    venta ventas, warning advertencia, guest huesped, size tamaño, color color, code codigo, math matematica, formula
    formula, command comando, folder carpetas, screenshot captura captura_de_pantalla, browser navegador, memory memoria,
    money dinero, room habitacion sala cuarto, kitchen cocina, rent alquiler renta, insurance seguro, doctor medico
    doctor, dentist dentista, pharmacy farmacia, child nino nina ninos hijo hija, dog perro, cat gato, wedding boda,
    birthday cumpleanos, friend amigo amiga amigos, family familia, school colegio escuela, train tren, trash papelera
    basura, weekend finde fin_de_semana, coffee cafe, gift regalo, apartment piso apartamento departamento, fee tarifa
    cuota, tenant inquilino, minute minuto minutos, half mitad, neighbor vecino`,
};
